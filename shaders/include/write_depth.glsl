// Depth of even relative precision. REVERSED_DEPTH: the projection gives near/distance in a float buffer (needs clip
// control). Otherwise each fragment writes a logarithmic depth.
#ifdef REVERSED_DEPTH
#define WRITE_DEPTH
#else
#define WRITE_DEPTH gl_FragDepth = 1.0 - log2(1.0 + 1.0 / gl_FragCoord.w) * depth_parameters.y;
#endif
