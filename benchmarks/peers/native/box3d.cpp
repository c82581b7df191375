// Box3D: its character mover on a triangle mesh, as in the engine's own sample (`Mover`): a capsule that a spring holds
// above the ground. The capsule ends a step's height above the feet.
#include <box3d/box3d.h>

#include <cfloat>
#include <numeric>

#include "peer.h"

namespace {

constexpr float REST = STEP + RADIUS;   // m from the centre of the lower cap to the ground; the spring's rest length
constexpr float HERTZ = 4, DAMPING = 0.7f;  // of the spring; this and what follows are the settings of the sample
constexpr float REACH = REST + RADIUS;  // m, length of the spring's ray
constexpr float CLOSE = 0.01f;          // m, a shorter movement ends the iterations
constexpr int ITERATIONS = 5, MOST_PLANES = 8;
constexpr float WELD = 1e-5f;           // m

struct Planes {
    b3CollisionPlane all[MOST_PLANES];
    int count = 0;
};

bool keep_planes(b3ShapeId, const b3PlaneResult* found, int count, void* context) {
    Planes& planes = *static_cast<Planes*>(context);
    for (int k = 0; k < count && planes.count < MOST_PLANES; k++)
        planes.all[planes.count++] = {found[k].plane, FLT_MAX, 0, true};
    return true;
}

class Box3D final : public Peer {
public:
    Box3D() {
        const b3Version found = b3GetVersion();
        name = "native Box3D";
        version = std::to_string(found.major) + "." + std::to_string(found.minor) + "."
                  + std::to_string(found.revision);
        settings = {
            "CollideMover, SolvePlanes and CastMover as in the engine's sample: 8 planes, at most 5 times a tick, "
            "velocity clipped by the planes",
            "capsule from 0.4 m above the feet to 1.8 m; spring to the ground by one ray, 4 Hz, damping 0.7; no slope "
            "limit",
            "mesh with vertices welded (1e-5 m), edges identified and SAH",
            "the optimisation that it was installed with; MIT licence",
        };
    }

    void build(const float* corners, size_t triangles) override {
        if (mesh) {
            b3DestroyWorld(world);
            b3DestroyMesh(mesh);
        }
        std::vector<b3Vec3> points(3 * triangles);
        for (size_t k = 0; k < points.size(); k++)
            points[k] = {corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]};
        std::vector<int32_t> order(points.size());
        std::iota(order.begin(), order.end(), 0);
        b3MeshDef description = {};
        description.vertices = points.data();
        description.vertexCount = static_cast<int>(points.size());
        description.indices = order.data();
        description.triangleCount = static_cast<int>(triangles);
        description.weldVertices = true;
        description.weldTolerance = WELD;
        description.identifyEdges = true;
        mesh = b3CreateMesh(&description, nullptr, 0);
        if (!mesh) fail("Box3D makes no mesh");
        const b3WorldDef settings_of_world = b3DefaultWorldDef();
        world = b3CreateWorld(&settings_of_world);
        const b3BodyDef body = b3DefaultBodyDef();
        const b3ShapeDef shape = b3DefaultShapeDef();
        b3CreateMeshShape(b3CreateBody(world, &body), &shape, mesh, b3Vec3_one);
    }

    void place(double x, double y, double z) override {
        at = {float(x), float(y), float(z)};
        velocity = {0, 0, 0};
        spring = 0;
        grounded = false;
    }

    Place step(double vx, double vz) override {
        constexpr float dt = float(TICK);
        velocity = {float(vx), (grounded ? 0 : velocity.y) - float(GRAVITY) * dt, float(vz)};
        const b3QueryFilter filter = b3DefaultQueryFilter();
        const b3Vec3 down = {0, -REACH, 0};
        const b3RayResult ray = b3World_CastRayClosest(world, b3OffsetPos(at, CAPSULE.center1), down, filter);
        grounded = ray.hit && velocity.y <= 0;
        if (grounded) {  // implicit Euler of a damped spring
            const float omega = 2 * B3_PI * HERTZ, omega_dt = omega * dt;
            spring = (spring - omega * omega_dt * (ray.fraction * REACH - REST))
                     / (1 + 2 * DAMPING * omega_dt + omega_dt * omega_dt);
        } else {
            spring = 0;
        }
        const b3Vec3 wish = {dt * velocity.x, dt * (velocity.y + spring), dt * velocity.z};
        const b3Pos target = b3OffsetPos(at, wish);
        Planes planes;
        for (int k = 0; k < ITERATIONS; k++) {
            planes.count = 0;
            b3World_CollideMover(world, at, &CAPSULE, filter, keep_planes, &planes);
            b3Vec3 delta = b3SolvePlanes(b3SubPos(target, at), planes.all, planes.count).delta;
            delta = b3MulSV(b3World_CastMover(world, at, &CAPSULE, delta, filter, nullptr, nullptr), delta);
            at = b3OffsetPos(at, delta);
            if (b3LengthSquared(delta) < CLOSE * CLOSE) break;
        }
        velocity = b3ClipVector(velocity, planes.all, planes.count);
        return {{at.x, at.y, at.z}, grounded};
    }

private:
    static constexpr b3Capsule CAPSULE = {{0, REST, 0}, {0, HEIGHT - RADIUS, 0}, RADIUS};  // its origin is the feet

    b3WorldId world = {};
    b3MeshData* mesh = nullptr;
    b3Pos at = {};
    b3Vec3 velocity = {};
    float spring = 0;  // m/s
    bool grounded = false;
};

}  // namespace

std::unique_ptr<Peer> create(const std::string&) { return std::make_unique<Box3D>(); }
