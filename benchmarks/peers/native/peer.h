// A native character controller on the courses, and what all of them have in common with ../body.mjs.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

constexpr float RADIUS = 0.35f;                 // m
constexpr float HEIGHT = 1.8f;                  // m, all of it
constexpr double HALF = 0.9;                     // m, half of it
constexpr float SHAFT = HEIGHT - 2 * RADIUS;    // m between the centres of the two caps
constexpr float STEP = 0.4f;                    // m
constexpr float SLOPE = 3.14159265358979f / 4;  // radians
constexpr double GRAVITY = 9.81;                // m/s2
constexpr double TICK = 1.0 / 60;               // s

struct Place {
    double feet[3];  // m
    bool grounded;
};

class Peer {
public:
    virtual ~Peer() = default;

    std::string name, version;
    std::vector<std::string> settings;

    // Prepares the level: 9 numbers a triangle, m. Corners are not shared.
    virtual void build(const float* corners, size_t triangles) = 0;
    // Puts the body with its feet at a point, at rest.
    virtual void place(double x, double y, double z) = 0;
    // One tick with a horizontal velocity, m/s.
    virtual Place step(double vx, double vz) = 0;
};

std::unique_ptr<Peer> create(const std::string& option);

// Answers the request with an error and ends the process.
[[noreturn]] void fail(const std::string& reason);
