// Rapier: KinematicCharacterController over a trimesh collider.
import RAPIER from '@dimforge/rapier3d-compat';
import { GRAVITY, HALF, RADIUS, SHAFT, SLOPE, STEP, indices, version } from './body.mjs';

const OFFSET = 0.01; // m, as in the guide
const WIDTH = 0.2; // m of free space on a step, as in the guide

export async function create() {
  const warn = console.warn;
  console.warn = () => {}; // the package's own note about how it starts its module
  await RAPIER.init();
  console.warn = warn;
  let world, collider, controller;
  let falling = 0;
  const wish = { x: 0, y: 0, z: 0 };
  const spot = { x: 0, y: 0, z: 0 };

  function build(corners) {
    world?.free();
    world = new RAPIER.World({ x: 0, y: -GRAVITY, z: 0 });
    world.createCollider(RAPIER.ColliderDesc.trimesh(corners, indices(corners), RAPIER.TriMeshFlags.FIX_INTERNAL_EDGES));
    collider = world.createCollider(RAPIER.ColliderDesc.capsule(SHAFT / 2, RADIUS).setTranslation(0, 1000, 0));
    controller = world.createCharacterController(OFFSET);
    controller.enableAutostep(STEP, WIDTH, false);
    controller.enableSnapToGround(STEP);
    controller.setMaxSlopeClimbAngle(SLOPE);
    controller.setMinSlopeSlideAngle(SLOPE);
    world.step(); // what was added is known to queries from then on
  }

  return {
    name: 'Rapier',
    version: version('@dimforge/rapier3d-compat'),
    settings: [
      `KinematicCharacterController: offset ${OFFSET} m, autostep ${STEP} m (width ${WIDTH} m), snap ${STEP} m`,
      'slopes climbed to 45 degrees and slid down from there; trimesh with FIX_INTERNAL_EDGES',
      'a collider without a rigid body, so no world step a tick; gravity added by hand, cleared on the ground',
    ],
    build,
    place(x, y, z) {
      spot.x = x;
      spot.y = y + HALF;
      spot.z = z;
      collider.setTranslation(spot);
      falling = 0;
    },
    step(vx, vz, dt, out) {
      falling -= GRAVITY * dt;
      wish.x = vx * dt;
      wish.y = falling * dt;
      wish.z = vz * dt;
      controller.computeColliderMovement(collider, wish);
      const moved = controller.computedMovement();
      const ground = controller.computedGrounded();
      if (ground) falling = 0;
      spot.x += moved.x;
      spot.y += moved.y;
      spot.z += moved.z;
      collider.setTranslation(spot);
      out[0] = spot.x;
      out[1] = spot.y - HALF;
      out[2] = spot.z;
      out[3] = ground ? 1 : 0;
    },
    heap: () => 0,
  };
}
