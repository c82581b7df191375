// The tree of boxes over the level's triangles, which rays walk without a stack: see game/render/scene/bvh.py.
uniform sampler2D nodes;      // two texels each
uniform sampler2D corners;    // five texels a triangle: corner, edges (w: albedo), places in the atlas
uniform int node_count;

vec4 row(sampler2D table, int i) {
    return texelFetch(table, ivec2(i & 1023, i >> 10), 0);
}
