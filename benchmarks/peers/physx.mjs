// PhysX: PxCapsuleController on a cooked triangle mesh.
import { readFileSync } from 'node:fs';
import PhysX from 'physx-js-webidl';
import { GRAVITY, HALF, RADIUS, SHAFT, SLOPE, STEP, indices, version } from './body.mjs';

const CONTACT_OFFSET = 0.02; // m; the default of 0.1 is wider than the gap over the head under the low ceiling
const MINIMUM = 0.001; // m, the least movement, as in the vendor's samples

// The published build is for browsers and refuses Node by name: it is not shown `process` while it starts.
// Nor does it hand out its memory, which the triangles are to be written to: that is taken when it is made.
async function load() {
  const bytes = readFileSync(new URL('physx-js-webidl.wasm', import.meta.resolve('physx-js-webidl')));
  const module = new WebAssembly.Module(bytes);
  let memory;
  const instantiateWasm = (imports, receive) => {
    const instance = new WebAssembly.Instance(module, imports);
    memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    receive(instance, module);
    return {};
  };
  const hidden = globalThis.process;
  globalThis.window = globalThis;
  globalThis.process = undefined;
  try {
    return { P: await PhysX({ instantiateWasm }), memory };
  } finally {
    globalThis.process = hidden;
  }
}

export async function create(option) {
  const { P, memory } = await load();
  const foundation = P.CreateFoundation(P.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
  const scale = new P.PxTolerancesScale();
  const physics = P.CreatePhysics(P.PHYSICS_VERSION, foundation, scale);
  const material = physics.createMaterial(0.5, 0.5, 0.0);
  const identity = new P.PxTransform(P.PxIDENTITYEnum.PxIdentity);
  const filters = new P.PxControllerFilters();
  const displacement = new P.PxVec3(0, 0, 0);
  const spot = new P.PxExtendedVec3(0, 0, 0);
  const down = P.PxControllerCollisionFlagEnum.eCOLLISION_DOWN;
  let scene, manager, controller, mesh;
  let falling = 0;

  function build(corners) {
    controller?.release();
    manager?.release();
    scene?.release();
    mesh?.release();
    const list = indices(corners);
    const points = P._webidl_malloc(4 * corners.length);
    const order = P._webidl_malloc(4 * list.length);
    new Float32Array(memory.buffer).set(corners, points >> 2);
    new Uint32Array(memory.buffer).set(list, order >> 2);
    const description = new P.PxTriangleMeshDesc();
    description.points.count = corners.length / 3;
    description.points.stride = 12;
    description.points.data = P.wrapPointer(points, P.PxVec3);
    description.triangles.count = list.length / 3;
    description.triangles.stride = 12;
    description.triangles.data = P.wrapPointer(order, P.PxVec3);
    const cooking = new P.PxCookingParams(scale);
    cooking.suppressTriangleMeshRemapTable = true;
    cooking.midphaseDesc.setToDefault(P.PxMeshMidPhaseEnum.eBVH34);
    if (option !== 'unwelded') {
      cooking.meshPreprocessParams.raise(P.PxMeshPreprocessingFlagEnum.eWELD_VERTICES);
      cooking.meshWeldTolerance = 1e-5;
    }
    mesh = P.CreateTriangleMesh(cooking, description);
    P._webidl_free(points);
    P._webidl_free(order);
    P.destroy(cooking);
    P.destroy(description);

    const world = new P.PxSceneDesc(scale);
    world.set_gravity(new P.PxVec3(0, -GRAVITY, 0));
    world.set_cpuDispatcher(P.DefaultCpuDispatcherCreate(0));
    world.set_filterShader(P.DefaultFilterShader());
    scene = physics.createScene(world);
    const geometry = new P.PxTriangleMeshGeometry(mesh);
    const flags = new P.PxShapeFlags(P.PxShapeFlagEnum.eSCENE_QUERY_SHAPE | P.PxShapeFlagEnum.eSIMULATION_SHAPE);
    const shape = physics.createShape(geometry, material, true, flags);
    const level = physics.createRigidStatic(identity);
    level.attachShape(shape);
    scene.addActor(level);

    manager = P.CreateControllerManager(scene);
    const capsule = new P.PxCapsuleControllerDesc();
    capsule.radius = RADIUS;
    capsule.height = SHAFT;
    capsule.stepOffset = STEP;
    capsule.slopeLimit = Math.cos(SLOPE);
    capsule.contactOffset = CONTACT_OFFSET;
    capsule.material = material;
    capsule.position = new P.PxExtendedVec3(0, 1000, 0);
    if (!capsule.isValid()) throw new Error('PhysX refuses the capsule');
    controller = manager.createController(capsule);
  }

  return {
    name: 'PhysX',
    version: version('physx-js-webidl'),
    settings: [
      `PxCapsuleController: stepOffset ${STEP}, slopeLimit 45 degrees, contactOffset ${CONTACT_OFFSET} m, minDist ${MINIMUM} m`,
      'cooked with eWELD_VERTICES (1e-5 m) for BVH34; gravity added by hand, cleared on eCOLLISION_DOWN (it has none)',
      'the published build, whose JavaScript side checks each call',
    ],
    build,
    place(x, y, z) {
      spot.x = x;
      spot.y = y + HALF;
      spot.z = z;
      controller.setPosition(spot);
      controller.invalidateCache();
      falling = 0;
    },
    step(vx, vz, dt, out) {
      falling -= GRAVITY * dt;
      displacement.x = vx * dt;
      displacement.y = falling * dt;
      displacement.z = vz * dt;
      const hit = controller.move(displacement, MINIMUM, dt, filters);
      const ground = hit.isSet(down);
      if (ground) falling = 0;
      const place = controller.getPosition();
      out[0] = place.x;
      out[1] = place.y - HALF;
      out[2] = place.z;
      out[3] = ground ? 1 : 0;
    },
    heap: () => memory.buffer.byteLength,
  };
}
