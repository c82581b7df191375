// PhysX: PxCapsuleController on a cooked triangle mesh, as ../physx.mjs.
#include <PxPhysicsAPI.h>

#include <numeric>

#include "peer.h"

using namespace physx;

namespace {

// The default contact offset of 0.1 m is wider than the gap over the head under the low ceiling.
constexpr float CONTACT_OFFSET = 0.02f;  // m
constexpr float MINIMUM = 0.001f;        // m, the least movement, as in the vendor's samples
constexpr float WELD = 1e-5f;            // m

template <typename T>
void release(T*& object) {
    if (object) object->release();
    object = nullptr;
}

class PhysX final : public Peer {
public:
    PhysX() {
        name = "native PhysX";
        version = std::to_string(PX_PHYSICS_VERSION_MAJOR) + "." + std::to_string(PX_PHYSICS_VERSION_MINOR) + "."
                  + std::to_string(PX_PHYSICS_VERSION_BUGFIX);
        settings = {
            "PxCapsuleController: stepOffset 0.4, slopeLimit 45 degrees, contactOffset 0.02 m, minDist 0.001 m",
            "cooked with eWELD_VERTICES (1e-5 m) for BVH34; gravity added by hand, cleared on eCOLLISION_DOWN",
            "static libraries, the optimisation that they were installed with; BSD 3-clause licence",
        };
        foundation = PxCreateFoundation(PX_PHYSICS_VERSION, allocator, errors);
        if (!foundation) fail("PhysX makes no foundation");
        physics = PxCreatePhysics(PX_PHYSICS_VERSION, *foundation, scale);
        if (!physics) fail("PhysX makes no PxPhysics");
        material = physics->createMaterial(0.5f, 0.5f, 0.0f);
        dispatcher = PxDefaultCpuDispatcherCreate(0);
    }

    void build(const float* corners, size_t triangles) override {
        controller = nullptr;  // released with its manager
        release(manager);
        release(scene);
        release(level);
        release(mesh);
        std::vector<PxU32> order(3 * triangles);
        std::iota(order.begin(), order.end(), 0u);
        PxTriangleMeshDesc description;
        description.points.count = static_cast<PxU32>(3 * triangles);
        description.points.stride = 3 * sizeof(float);
        description.points.data = corners;
        description.triangles.count = static_cast<PxU32>(triangles);
        description.triangles.stride = 3 * sizeof(PxU32);
        description.triangles.data = order.data();
        PxCookingParams cooking(scale);
        cooking.suppressTriangleMeshRemapTable = true;
        cooking.midphaseDesc.setToDefault(PxMeshMidPhase::eBVH34);
        cooking.meshPreprocessParams.raise(PxMeshPreprocessingFlag::eWELD_VERTICES);
        cooking.meshWeldTolerance = WELD;
        mesh = PxCreateTriangleMesh(cooking, description, physics->getPhysicsInsertionCallback());
        if (!mesh) fail("PhysX cooks no mesh");

        PxSceneDesc world(scale);
        world.gravity = PxVec3(0, float(-GRAVITY), 0);
        world.cpuDispatcher = dispatcher;
        world.filterShader = PxDefaultSimulationFilterShader;
        scene = physics->createScene(world);
        if (!scene) fail("PhysX makes no scene");
        PxShape* shape = physics->createShape(PxTriangleMeshGeometry(mesh), *material, true,
                                              PxShapeFlag::eSCENE_QUERY_SHAPE | PxShapeFlag::eSIMULATION_SHAPE);
        level = physics->createRigidStatic(PxTransform(PxIdentity));
        level->attachShape(*shape);
        shape->release();
        scene->addActor(*level);

        manager = PxCreateControllerManager(*scene);
        PxCapsuleControllerDesc capsule;
        capsule.radius = RADIUS;
        capsule.height = SHAFT;
        capsule.stepOffset = STEP;
        capsule.slopeLimit = PxCos(SLOPE);
        capsule.contactOffset = CONTACT_OFFSET;
        capsule.material = material;
        capsule.position = PxExtendedVec3(0, 1000, 0);
        if (!capsule.isValid()) fail("PhysX refuses the capsule");
        controller = manager->createController(capsule);
    }

    void place(double x, double y, double z) override {
        controller->setPosition(PxExtendedVec3(x, y + HALF, z));
        controller->invalidateCache();
        falling = 0;
    }

    Place step(double vx, double vz) override {
        falling -= GRAVITY * TICK;
        const PxVec3 displacement(float(vx * TICK), float(falling * TICK), float(vz * TICK));
        const PxControllerCollisionFlags hit = controller->move(displacement, MINIMUM, float(TICK), filters);
        const bool ground = hit.isSet(PxControllerCollisionFlag::eCOLLISION_DOWN);
        if (ground) falling = 0;
        const PxExtendedVec3& at = controller->getPosition();
        return {{at.x, at.y - HALF, at.z}, ground};
    }

private:
    PxDefaultAllocator allocator;
    PxDefaultErrorCallback errors;
    PxTolerancesScale scale;
    PxControllerFilters filters;
    PxFoundation* foundation;
    PxPhysics* physics;
    PxMaterial* material;
    PxDefaultCpuDispatcher* dispatcher;
    PxTriangleMesh* mesh = nullptr;
    PxRigidStatic* level = nullptr;
    PxScene* scene = nullptr;
    PxControllerManager* manager = nullptr;
    PxController* controller = nullptr;
    double falling = 0;  // m/s
};

}  // namespace

std::unique_ptr<Peer> create(const std::string&) { return std::make_unique<PhysX>(); }
