// One native peer in one process: reads requests as JSON lines and answers each with a line, as ../harness.mjs.
//
//   PEER [OPTION]
#include "peer.h"

#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

struct Leg {
    double start[3];
    std::vector<double> velocity;  // x and z of each tick, m/s
    size_t ticks() const { return velocity.size() / 2; }
};

struct Course {
    std::vector<float> corners;
    std::vector<Leg> legs;
    size_t ticks() const {
        size_t sum = 0;
        for (const Leg& leg : legs) sum += leg.ticks();
        return sum;
    }
};

// JSON: the answers are made of strings and numbers; of a request only strings are read.

std::string quoted(const std::string& text) {
    std::string found = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') found += '\\';
        found += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return found + '"';
}

std::string value_of(const std::string& request, const std::string& key) {
    const size_t at = request.find(quoted(key) + ": \"");
    if (at == std::string::npos) fail("the request names no " + key);
    std::string found;
    for (size_t k = at + key.size() + 5; k < request.size() && request[k] != '"'; k++) {
        if (request[k] == '\\') k++;
        if (request[k - 1] == '\\' && request[k] == 'u') fail("a path of the request is not in ASCII");
        found += request[k];
    }
    return found;
}

void say(const std::string& answer) {
    std::cout << "answer {" << answer << "}" << std::endl;
}

// The file of a course; benchmarks/courses.py writes it.

template <typename T>
std::vector<T> read(std::ifstream& file, size_t count) {
    std::vector<T> found(count);
    if (!file.read(reinterpret_cast<char*>(found.data()), static_cast<std::streamsize>(count * sizeof(T))))
        fail("the file of the course ends early");
    return found;
}

Course read_course(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail("cannot read " + path);
    Course course;
    const std::vector<int32_t> counts = read<int32_t>(file, 2);
    course.corners = read<float>(file, 9 * static_cast<size_t>(counts[0]));
    for (int32_t k = 0; k < counts[1]; k++) {
        const size_t ticks = static_cast<size_t>(read<int32_t>(file, 1)[0]);
        const std::vector<double> start = read<double>(file, 3);
        course.legs.push_back({{start[0], start[1], start[2]}, read<double>(file, 2 * ticks)});
    }
    return course;
}

void write(const std::string& path, const std::vector<double>& numbers) {
    std::ofstream file(path, std::ios::binary);
    const auto size = static_cast<std::streamsize>(numbers.size() * sizeof(double));
    file.write(reinterpret_cast<const char*>(numbers.data()), size);
    if (!file.flush()) fail("cannot write " + path);
}

double microseconds(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

long resident() {
    std::ifstream file("/proc/self/statm");
    long whole = 0, pages = 0;
    file >> whole >> pages;
    return pages * sysconf(_SC_PAGESIZE);
}

size_t allocated() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// The requests

std::string build(Peer& peer, const Course& course) {
    const long before = resident();
    const size_t heap = allocated();
    const double start = microseconds(CLOCK_PROCESS_CPUTIME_ID);
    peer.build(course.corners.data(), course.corners.size() / 9);
    const double seconds = (microseconds(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e6;
    std::ostringstream answer;
    answer << "\"seconds\": " << seconds << ", \"memory\": " << resident() - before
           << ", \"heap\": " << static_cast<long>(allocated() - heap);
    return answer.str();
}

// The bodies of the legs go through `keep`, so that no step is left out.
template <typename Keep>
void walk(Peer& peer, const Leg& leg, Keep keep) {
    for (size_t k = 0; k < leg.ticks(); k++) keep(peer.step(leg.velocity[2 * k], leg.velocity[2 * k + 1]));
}

void put(Peer& peer, const Leg& leg) {
    peer.place(leg.start[0], leg.start[1], leg.start[2]);
}

std::string time_legs(Peer& peer, const Course& course) {
    std::vector<Place> places(course.ticks());
    std::ostringstream answer;
    answer << "\"microseconds\": [";
    for (const Leg& leg : course.legs) {
        put(peer, leg);
        Place* next = places.data();
        const double busy = microseconds(CLOCK_THREAD_CPUTIME_ID);
        const double start = microseconds(CLOCK_MONOTONIC);
        walk(peer, leg, [&](const Place& place) { *next++ = place; });
        const double wall = microseconds(CLOCK_MONOTONIC) - start;
        answer << (&leg == &course.legs.front() ? "[" : ", [") << wall << ", "
               << microseconds(CLOCK_THREAD_CPUTIME_ID) - busy << "]";
    }
    answer << "]";
    return answer.str();
}

double empty_call() {
    std::vector<double> taken(4000);
    for (double& each : taken) {
        const double start = microseconds(CLOCK_MONOTONIC);
        each = microseconds(CLOCK_MONOTONIC) - start;
    }
    std::nth_element(taken.begin(), taken.begin() + 2000, taken.end());
    return taken[2000];
}

std::vector<double> time_ticks(Peer& peer, const Course& course) {
    const double nothing = empty_call();
    std::vector<double> found;
    found.reserve(course.ticks());
    for (const Leg& leg : course.legs) {
        put(peer, leg);
        double start = microseconds(CLOCK_MONOTONIC);
        walk(peer, leg, [&](const Place&) {
            found.push_back(microseconds(CLOCK_MONOTONIC) - start - nothing);
            start = microseconds(CLOCK_MONOTONIC);
        });
    }
    return found;
}

std::vector<double> all_places(Peer& peer, const Course& course) {
    std::vector<double> found;
    for (const Leg& leg : course.legs) {
        put(peer, leg);
        walk(peer, leg, [&](const Place& place) {
            found.insert(found.end(), {place.feet[0], place.feet[1], place.feet[2], place.grounded ? 1.0 : 0.0});
        });
    }
    return found;
}

}  // namespace

void fail(const std::string& reason) {
    say("\"error\": " + quoted(reason));
    std::exit(1);
}

int main(int count, char** words) {
    const std::unique_ptr<Peer> peer = create(count > 1 ? words[1] : "");
    std::string about;
    for (const std::string& line : peer->settings) about += (about.empty() ? "" : ", ") + quoted(line);
    const std::string name = "\"name\": " + quoted(peer->name) + ", \"version\": " + quoted(peer->version);
    say(name + ", \"settings\": [" + about + "]");
    Course course;
    for (std::string request; std::getline(std::cin, request);) {
        const std::string wanted = value_of(request, "do");
        if (wanted == "build") {
            course = read_course(value_of(request, "course"));
            say(build(*peer, course));
        } else if (wanted == "legs") {
            say(time_legs(*peer, course));
        } else if (wanted == "ticks") {
            write(value_of(request, "to"), time_ticks(*peer, course));
            say("");
        } else if (wanted == "walk") {
            write(value_of(request, "to"), all_places(*peer, course));
            say("");
        } else {
            fail("unknown request " + wanted);
        }
    }
}
