// One peer in one process: reads orders as JSON lines, answers each with a JSON line.
//
//   node harness.mjs MODULE [OPTION]
//
// A peer's module exports `create(option)`, which gives { name, version, settings, build, place, step, heap }:
//   build(corners)            Float32Array of 9 numbers a triangle; whatever the peer needs before it can step
//   place(x, y, z)            put the body there (feet, m), at rest
//   step(vx, vz, dt, out)     one tick with that plan velocity (m/s); feet to out[0..2], 1 or 0 (on the ground) to out[3]
//   heap()                    bytes of the memory that the peer manages itself, 0 where it has none
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const DT = 1 / 60;
const out = new Float64Array(4);
const { create } = await import(new URL(process.argv[2], import.meta.url));
const peer = await create(process.argv[3]);
let legs = [];

function read(path) {
  const bytes = readFileSync(path);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const view = new DataView(buffer);
  const triangles = view.getInt32(0, true);
  const count = view.getInt32(4, true);
  let at = 8 + 36 * triangles;
  const found = [];
  for (let k = 0; k < count; k++) {
    const ticks = view.getInt32(at, true);
    const numbers = new Float64Array(buffer.slice(at + 4, at + 28 + 16 * ticks));
    found.push({ start: numbers.subarray(0, 3), velocity: numbers.slice(3), ticks });
    at += 28 + 16 * ticks;
  }
  return { corners: new Float32Array(buffer, 8, 9 * triangles), legs: found };
}

const used = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss;
};

function build({ course }) {
  const read_ = read(course);
  legs = read_.legs;
  const before = used();
  const heap = peer.heap();
  const start = process.cpuUsage();
  peer.build(read_.corners);
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, memory: used() - before, heap: peer.heap() - heap };
}

function run(leg, each) {
  const { velocity, ticks } = leg;
  peer.place(leg.start[0], leg.start[1], leg.start[2]);
  const busy = process.cpuUsage();
  const start = process.hrtime.bigint();
  for (let k = 0; k < ticks; k++) {
    peer.step(velocity[2 * k], velocity[2 * k + 1], DT, out);
    if (each) each(k);
  }
  const wall = Number(process.hrtime.bigint() - start) / 1e3;
  const { user, system } = process.cpuUsage(busy);
  return [wall, user + system];
}

function walk({ to }) {
  const found = new Float64Array(4 * legs.reduce((sum, leg) => sum + leg.ticks, 0));
  let at = 0;
  for (const leg of legs) {
    run(leg, () => {
      found.set(out, at);
      at += 4;
    });
  }
  writeFileSync(to, found);
  return {};
}

const elapsed = (pair) => pair[0] * 1e6 + pair[1] / 1e3;

function empty() {
  const taken = [];
  for (let k = 0; k < 4000; k++) {
    const start = process.hrtime();
    taken.push(elapsed(process.hrtime(start)));
  }
  taken.sort((a, b) => a - b);
  return taken[2000];
}

function ticks({ to }) {
  const found = new Float64Array(legs.reduce((sum, leg) => sum + leg.ticks, 0));
  let at = 0;
  const nothing = empty();
  for (const { start, velocity, ticks } of legs) {
    peer.place(start[0], start[1], start[2]);
    for (let k = 0; k < ticks; k++) {
      const begun = process.hrtime();
      peer.step(velocity[2 * k], velocity[2 * k + 1], DT, out);
      found[at++] = elapsed(process.hrtime(begun)) - nothing;
    }
  }
  writeFileSync(to, found);
  return {};
}

const orders = { build, walk, ticks, legs: () => ({ microseconds: legs.map((leg) => run(leg)) }) };
const say = (answer) => process.stdout.write(`answer ${JSON.stringify(answer)}\n`);

say({ name: peer.name, version: peer.version, settings: peer.settings });
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const order = JSON.parse(line);
    say(orders[order.do](order));
  } catch (error) {
    say({ error: String(error?.stack ?? error) });
  }
}
process.exit(0);
