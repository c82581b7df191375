// What all peers have in common: the body, the world's pull, and how a package's version is read.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const RADIUS = 0.35; // m
export const HEIGHT = 1.8; // m, all of it
export const HALF = HEIGHT / 2;
export const SHAFT = HEIGHT - 2 * RADIUS; // m between the centres of the two caps
export const STEP = 0.4; // m
export const SLOPE = Math.PI / 4;
export const GRAVITY = 9.81; // m/s2

export function version(name) {
  const require = createRequire(import.meta.url);
  let folder = dirname(require.resolve(name));
  for (;;) {
    try {
      const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (found.name === name) return found.version;
    } catch {
      // not here
    }
    if (folder === dirname(folder)) return 'unknown';
    folder = dirname(folder);
  }
}

// Consecutive numbers: the triangles share no corners until the peer finds out.
export function indices(corners) {
  const found = new Uint32Array(corners.length / 3);
  for (let k = 0; k < found.length; k++) found[k] = k;
  return found;
}
