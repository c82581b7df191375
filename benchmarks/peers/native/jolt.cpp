// Jolt: CharacterVirtual on a MeshShape, as ../jolt.mjs. Option `enhanced`: with enhanced internal edge removal.
#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Character/CharacterVirtual.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseLayerInterfaceTable.h>
#include <Jolt/Physics/Collision/BroadPhase/ObjectVsBroadPhaseLayerFilterTable.h>
#include <Jolt/Physics/Collision/ObjectLayerPairFilterTable.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include "peer.h"

namespace {

constexpr float PADDING = 0.02f;  // m; this and what follows are the settings of the engine's own character sample
constexpr float PREDICT = 0.1f;   // m
constexpr float STICK = 0.5f;     // m down
constexpr JPH::ObjectLayer LEVEL = 0;  // the only object layer and the only broad phase layer

class Jolt final : public Peer {
public:
    explicit Jolt(bool enhanced) : enhanced(enhanced), memory(10 * 1024 * 1024), layers(1, 1), pairs(1) {
        name = enhanced ? "native Jolt, enhanced edges" : "native Jolt";
        version = std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "."
                  + std::to_string(JPH_VERSION_PATCH);
        settings = {
            "CharacterVirtual as in the engine's sample: padding 0.02 m, predictive contacts 0.1 m, back faces collide",
            "ExtendedUpdate: stick to floor 0.5 m, step up 0.4 m; slopes to 45 degrees; no pull on the ground",
            std::string("enhanced internal edge removal ") + (enhanced ? "on" : "off, its default") + "; one thread",
            "the optimisation that it was installed with; MIT licence",
        };
        pairs.EnableCollision(LEVEL, LEVEL);
        layers.MapObjectToBroadPhaseLayer(LEVEL, JPH::BroadPhaseLayer(0));
        broad = std::make_unique<JPH::ObjectVsBroadPhaseLayerFilterTable>(layers, 1, pairs, 1);
        system.Init(16, 0, 16, 16, layers, *broad, pairs);
        update.mStickToFloorStepDown = JPH::Vec3(0, -STICK, 0);
        update.mWalkStairsStepUp = JPH::Vec3(0, STEP, 0);
    }

    void build(const float* corners, size_t triangles) override {
        JPH::BodyInterface& bodies = system.GetBodyInterface();
        character = nullptr;
        if (!level.IsInvalid()) {
            bodies.RemoveBody(level);
            bodies.DestroyBody(level);
        }
        JPH::TriangleList list;
        list.reserve(triangles);
        for (const float* at = corners; at != corners + 9 * triangles; at += 9)
            list.emplace_back(JPH::Float3(at[0], at[1], at[2]), JPH::Float3(at[3], at[4], at[5]),
                              JPH::Float3(at[6], at[7], at[8]));
        const JPH::ShapeSettings::ShapeResult made = JPH::MeshShapeSettings(list).Create();
        if (made.HasError()) fail(made.GetError().c_str());
        const JPH::BodyCreationSettings body(made.Get(), JPH::RVec3::sZero(), JPH::Quat::sIdentity(),
                                             JPH::EMotionType::Static, LEVEL);
        level = bodies.CreateAndAddBody(body, JPH::EActivation::DontActivate);
        system.OptimizeBroadPhase();

        JPH::CharacterVirtualSettings person;
        person.mShape = new JPH::CapsuleShape(SHAFT / 2, RADIUS);
        person.mMaxSlopeAngle = SLOPE;
        person.mMass = 70;
        person.mMaxStrength = 100;
        person.mBackFaceMode = JPH::EBackFaceMode::CollideWithBackFaces;
        person.mCharacterPadding = PADDING;
        person.mPenetrationRecoverySpeed = 1.0f;
        person.mPredictiveContactDistance = PREDICT;
        person.mSupportingVolume = JPH::Plane(JPH::Vec3::sAxisY(), float(HALF) - RADIUS);
        person.mEnhancedInternalEdgeRemoval = enhanced;
        character = new JPH::CharacterVirtual(&person, JPH::RVec3::sZero(), JPH::Quat::sIdentity(), &system);
    }

    void place(double x, double y, double z) override {
        character->SetPosition(JPH::RVec3(float(x), float(y + HALF), float(z)));
        character->SetLinearVelocity(JPH::Vec3::sZero());
        character->RefreshContacts(system.GetDefaultBroadPhaseLayerFilter(LEVEL), system.GetDefaultLayerFilter(LEVEL),
                                   JPH::BodyFilter(), JPH::ShapeFilter(), memory);
    }

    Place step(double vx, double vz) override {
        const double falling = grounded() ? 0 : character->GetLinearVelocity().GetY() - GRAVITY * TICK;
        character->SetLinearVelocity(JPH::Vec3(float(vx), float(falling), float(vz)));
        character->ExtendedUpdate(float(TICK), JPH::Vec3(0, float(-GRAVITY), 0), update,
                                  system.GetDefaultBroadPhaseLayerFilter(LEVEL), system.GetDefaultLayerFilter(LEVEL),
                                  JPH::BodyFilter(), JPH::ShapeFilter(), memory);
        const JPH::RVec3 at = character->GetPosition();
        return {{at.GetX(), at.GetY() - HALF, at.GetZ()}, grounded()};
    }

private:
    bool grounded() const { return character->GetGroundState() == JPH::CharacterBase::EGroundState::OnGround; }

    bool enhanced;
    JPH::TempAllocatorImpl memory;
    JPH::BroadPhaseLayerInterfaceTable layers;
    JPH::ObjectLayerPairFilterTable pairs;
    std::unique_ptr<JPH::ObjectVsBroadPhaseLayerFilterTable> broad;
    JPH::PhysicsSystem system;
    JPH::BodyID level;
    JPH::Ref<JPH::CharacterVirtual> character;
    JPH::CharacterVirtual::ExtendedUpdateSettings update;
};

}  // namespace

std::unique_ptr<Peer> create(const std::string& option) {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
    return std::make_unique<Jolt>(option == "enhanced");
}
