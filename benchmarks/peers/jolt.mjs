// Jolt: CharacterVirtual on a MeshShape. Option `enhanced`: with enhanced internal edge removal.
import Jolt from 'jolt-physics/wasm';
import { GRAVITY, HALF, RADIUS, SHAFT, SLOPE, STEP, version } from './body.mjs';

const PADDING = 0.02; // m; this and what follows are the settings of the engine's own character sample
const PREDICT = 0.1; // m
const STICK = 0.5; // m down
const LEVEL = 0; // the only object layer and the only broad phase layer

export async function create(option) {
  const J = await Jolt();
  const enhanced = option === 'enhanced';
  const settings = new J.JoltSettings();
  const pairs = new J.ObjectLayerPairFilterTable(1);
  pairs.EnableCollision(LEVEL, LEVEL);
  const layers = new J.BroadPhaseLayerInterfaceTable(1, 1);
  const broad = new J.BroadPhaseLayer(0);
  layers.MapObjectToBroadPhaseLayer(LEVEL, broad);
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
  const jolt = new J.JoltInterface(settings);
  const system = jolt.GetPhysicsSystem();
  const bodies = system.GetBodyInterface();
  const allocator = jolt.GetTempAllocator();
  const byLayer = new J.DefaultBroadPhaseLayerFilter(jolt.GetObjectVsBroadPhaseLayerFilter(), LEVEL);
  const byObject = new J.DefaultObjectLayerFilter(jolt.GetObjectLayerPairFilter(), LEVEL);
  const byBody = new J.BodyFilter();
  const byShape = new J.ShapeFilter();
  const update = new J.ExtendedUpdateSettings();
  update.mStickToFloorStepDown = new J.Vec3(0, -STICK, 0);
  update.mWalkStairsStepUp = new J.Vec3(0, STEP, 0);
  const pull = new J.Vec3(0, -GRAVITY, 0);
  const velocity = new J.Vec3(0, 0, 0);
  const spot = new J.RVec3(0, 0, 0);
  const upright = new J.Quat(0, 0, 0, 1);
  let level = null;
  let character = null;

  function build(corners) {
    if (character) J.destroy(character);
    if (level) {
      bodies.RemoveBody(level.GetID());
      bodies.DestroyBody(level.GetID());
    }
    const count = corners.length / 9;
    const list = new J.TriangleList();
    list.resize(count);
    const first = J.getPointer(list.at(0));
    const stride = (J.getPointer(list.at(1)) - first) >> 2;
    const heap = J.HEAPF32;
    const words = J.HEAPU32;
    for (let k = 0, at = first >> 2; k < count; k++, at += stride) {
      for (let n = 0; n < 9; n++) heap[at + n] = corners[9 * k + n];
      for (let n = 9; n < stride; n++) words[at + n] = 0;
    }
    const description = new J.MeshShapeSettings(list);
    J.destroy(list);
    const made = description.Create();
    if (made.HasError()) throw new Error(made.GetError().c_str());
    const zero = new J.RVec3(0, 0, 0);
    const body = new J.BodyCreationSettings(made.Get(), zero, upright, J.EMotionType_Static, LEVEL);
    level = bodies.CreateBody(body);
    bodies.AddBody(level.GetID(), J.EActivation_DontActivate);
    J.destroy(body);
    J.destroy(zero);
    J.destroy(description);
    system.OptimizeBroadPhase();

    const capsule = new J.CapsuleShape(SHAFT / 2, RADIUS);
    const person = new J.CharacterVirtualSettings();
    person.mShape = capsule;
    person.mMaxSlopeAngle = SLOPE;
    person.mMass = 70;
    person.mMaxStrength = 100;
    person.mBackFaceMode = J.EBackFaceMode_CollideWithBackFaces;
    person.mCharacterPadding = PADDING;
    person.mPenetrationRecoverySpeed = 1.0;
    person.mPredictiveContactDistance = PREDICT;
    person.mSupportingVolume = new J.Plane(new J.Vec3(0, 1, 0), HALF - RADIUS);
    person.mEnhancedInternalEdgeRemoval = enhanced;
    character = new J.CharacterVirtual(person, spot, upright, system);
  }

  return {
    name: enhanced ? 'Jolt, enhanced edges' : 'Jolt',
    version: version('jolt-physics'),
    settings: [
      `CharacterVirtual as in the engine's sample: padding ${PADDING} m, predictive contacts ${PREDICT} m, back faces collide`,
      `ExtendedUpdate: stick to floor ${STICK} m, step up ${STEP} m; slopes to 45 degrees; no pull on the ground`,
      `enhanced internal edge removal ${enhanced ? 'on' : 'off, its default'}; the wasm build of one thread`,
    ],
    build,
    place(x, y, z) {
      spot.Set(x, y + HALF, z);
      velocity.Set(0, 0, 0);
      character.SetPosition(spot);
      character.SetLinearVelocity(velocity);
      character.RefreshContacts(byLayer, byObject, byBody, byShape, allocator);
    },
    step(vx, vz, dt, out) {
      const ground = character.GetGroundState() === J.EGroundState_OnGround;
      velocity.Set(vx, ground ? 0 : character.GetLinearVelocity().GetY() - GRAVITY * dt, vz);
      character.SetLinearVelocity(velocity);
      character.ExtendedUpdate(dt, pull, update, byLayer, byObject, byBody, byShape, allocator);
      const place = character.GetPosition();
      out[0] = place.GetX();
      out[1] = place.GetY() - HALF;
      out[2] = place.GetZ();
      out[3] = character.GetGroundState() === J.EGroundState_OnGround ? 1 : 0;
    },
    heap: () => J.HEAPU8.byteLength,
  };
}
