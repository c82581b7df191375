// three-mesh-bvh: the capsule pushed out of every triangle found by `shapecast`, as in its character example.
import { Box3, BufferAttribute, BufferGeometry, Line3, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { GRAVITY, RADIUS, SHAFT, version } from './body.mjs';

const SUBSTEPS = 5;
const UP_SHARE = 0.25; // of the way fallen: pushed up by more than that, it stands on something

export async function create() {
  const line = new Line3();
  const box = new Box3();
  const onTriangle = new Vector3();
  const onLine = new Vector3();
  const before = new Vector3();
  const push = new Vector3();
  const velocity = new Vector3();
  let bvh;
  let ground = false;

  const query = {
    intersectsBounds: (bounds) => bounds.intersectsBox(box),
    intersectsTriangle(triangle) {
      const distance = triangle.closestPointToSegment(line, onTriangle, onLine);
      if (distance < RADIUS) {
        push.copy(onLine).sub(onTriangle).normalize();
        line.start.addScaledVector(push, RADIUS - distance);
        line.end.addScaledVector(push, RADIUS - distance);
      }
    },
  };

  function substep(vx, vz, dt) {
    velocity.x = 0;
    velocity.z = 0;
    velocity.y = ground ? -GRAVITY * dt : velocity.y - GRAVITY * dt;
    line.start.x += vx * dt;
    line.start.y += velocity.y * dt;
    line.start.z += vz * dt;
    line.end.x += vx * dt;
    line.end.y += velocity.y * dt;
    line.end.z += vz * dt;
    before.copy(line.start);
    box.makeEmpty();
    box.expandByPoint(line.start);
    box.expandByPoint(line.end);
    box.min.addScalar(-RADIUS);
    box.max.addScalar(RADIUS);
    bvh.shapecast(query);
    push.copy(line.start).sub(before);
    ground = push.y > Math.abs(dt * velocity.y * UP_SHARE);
    if (!ground) velocity.addScaledVector(push.normalize(), -push.dot(velocity));
  }

  return {
    name: 'three-mesh-bvh',
    version: version('three-mesh-bvh'),
    settings: [
      `MeshBVH.shapecast after each of ${SUBSTEPS} substeps a tick, pushed out of each triangle in turn`,
      'it has no steps, no slope limit and no snap; the tree with its default strategy, nothing welded',
    ],
    build(corners) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(corners, 3));
      bvh = new MeshBVH(geometry);
    },
    place(x, y, z) {
      line.start.set(x, y + RADIUS, z);
      line.end.set(x, y + RADIUS + SHAFT, z);
      velocity.set(0, 0, 0);
      ground = false;
    },
    step(vx, vz, dt, out) {
      for (let k = 0; k < SUBSTEPS; k++) substep(vx, vz, dt / SUBSTEPS);
      out[0] = line.start.x;
      out[1] = line.start.y - RADIUS;
      out[2] = line.start.z;
      out[3] = ground ? 1 : 0;
    },
    heap: () => 0,
  };
}
