# PhysX without its package manager: the parts that a scene with a character controller needs, for the CPU, in one
# static library. Release build of a static library as in its cmake files (linux), with AVX2 added.
set(folders foundation common geomutils lowlevel lowlevelaabb lowleveldynamics scenequery simulationcontroller
    physx physxcooking physxcharacterkinematic physxextensions pvd task immediatemode physxmetadata)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${SOURCE}/source/${folder}/*.cpp)
  list(APPEND sources ${found})
endforeach()
list(FILTER sources EXCLUDE REGEX "/(windows|omnipvd|device|serialization|cuda)/")
list(FILTER sources EXCLUDE REGEX "/Ext(DefaultStreams|DeformableSkinning|Extensions|Particle.*)\\.cpp$")
add_library(peer STATIC EXCLUDE_FROM_ALL ${sources})

# Every folder that its cmake files name for includes; their headers have no names in common.
file(GLOB_RECURSE headers LIST_DIRECTORIES true ${SOURCE}/source/*)
set(names include src shared api pvd core extensions collision pipeline utils
    contact common convex distance sweep gjk intersection mesh hf pcm ccd)
list(JOIN names "|" names)
list(FILTER headers INCLUDE REGEX "/(${names})$")
target_include_directories(peer PUBLIC ${SOURCE}/include PRIVATE ${headers} ${SOURCE}/pvdruntime/include)
target_compile_definitions(peer
  PUBLIC PX_PHYSX_STATIC_LIB DISABLE_CUDA_PHYSX PX_SUPPORT_PVD=0 PX_SUPPORT_OMNI_PVD=0 PX_PUBLIC_RELEASE=1
  PRIVATE PX_PHYSX_GPU_SHARED_LIB_NAME=libPhysXGpu_64.so)
target_compile_options(peer
  PUBLIC -fno-rtti -fno-exceptions -mavx2
  PRIVATE -w -ffunction-sections -fdata-sections -fvisibility=hidden -fno-strict-aliasing)
set_target_properties(peer PROPERTIES CXX_STANDARD 14)
target_link_libraries(peer PUBLIC pthread dl)

function(link_peer target)
  target_link_libraries(${target} PRIVATE peer)
endfunction()
