// Depth that tells near things from far ones equally well. With REVERSED the matrix has done it (near/distance
// in a float, from clip control); without, each fragment writes the logarithm of its distance.
#ifdef REVERSED_DEPTH
#define WRITE_DEPTH
#else
#define WRITE_DEPTH gl_FragDepth = 1.0 - log2(1.0 + 1.0 / gl_FragCoord.w) * depth_parameters.y;
#endif
