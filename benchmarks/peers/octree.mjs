// three.js: its Octree and Capsule, used as in the examples: a few substeps, each pushed out by the answer's depth.
import { BufferAttribute, BufferGeometry, Mesh, Vector3 } from 'three';
import { Capsule } from 'three/addons/math/Capsule.js';
import { Octree } from 'three/addons/math/Octree.js';
import { GRAVITY, HEIGHT, RADIUS, SHAFT, version } from './body.mjs';

const SUBSTEPS = 5;
const LEAST = 1e-10; // m of depth that is answered

export async function create() {
  const capsule = new Capsule(new Vector3(0, RADIUS, 0), new Vector3(0, HEIGHT - RADIUS, 0), RADIUS);
  const velocity = new Vector3();
  const way = new Vector3();
  let octree;
  let ground = false;

  return {
    name: 'three Octree',
    version: version('three'),
    settings: [
      `Octree.capsuleIntersect after each of ${SUBSTEPS} substeps a tick; on the ground where the answer's normal points up`,
      'off the ground the velocity loses its part into the answer; it has no steps, no slope limit and no snap',
    ],
    build(corners) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(corners, 3));
      octree = new Octree();
      octree.fromGraphNode(new Mesh(geometry));
    },
    place(x, y, z) {
      capsule.start.set(x, y + RADIUS, z);
      capsule.end.set(x, y + RADIUS + SHAFT, z);
      velocity.set(0, 0, 0);
      ground = false;
    },
    step(vx, vz, dt, out) {
      const part = dt / SUBSTEPS;
      for (let k = 0; k < SUBSTEPS; k++) {
        velocity.x = vx;
        velocity.z = vz;
        if (ground) velocity.y = Math.max(velocity.y, 0);
        else velocity.y -= GRAVITY * part;
        capsule.translate(way.copy(velocity).multiplyScalar(part));
        const answer = octree.capsuleIntersect(capsule);
        ground = false;
        if (answer) {
          ground = answer.normal.y > 0;
          if (!ground) velocity.addScaledVector(answer.normal, -answer.normal.dot(velocity));
          if (answer.depth >= LEAST) capsule.translate(answer.normal.multiplyScalar(answer.depth));
        }
      }
      out[0] = capsule.start.x;
      out[1] = capsule.start.y - RADIUS;
      out[2] = capsule.start.z;
      out[3] = ground ? 1 : 0;
    },
    heap: () => 0,
  };
}
