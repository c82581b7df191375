// Stackless traversal of the bounding volume hierarchy that game/render/scene/bake_input.py builds over the level's triangles.
uniform sampler2D bvh_nodes;      // two texels per node: minimum and skip index; maximum and leaf code
uniform sampler2D bvh_triangles;  // five texels per triangle: vertex 0, edge 1, edge 2 (w: albedo r, g, b); lightmap UV
uniform int bvh_node_count;

vec4 fetch_row(sampler2D table, int i) {
    return texelFetch(table, ivec2(i & 1023, i >> 10), 0);
}

// Slab test against an axis-aligned box, for 0 < t < t_max.
bool intersects_box(vec3 box_min, vec3 box_max, vec3 origin, vec3 inverse_direction, float t_max) {
    vec3 a = (box_min - origin) * inverse_direction, b = (box_max - origin) * inverse_direction;
    vec3 enter = min(a, b), leave = max(a, b);
    float t0 = max(max(enter.x, enter.y), enter.z), t1 = min(min(leave.x, leave.y), leave.z);
    return t0 <= t1 && t1 > 0.0 && t0 < t_max;
}

// Ray and triangle, both sides (Moeller and Trumbore 1997). uv: barycentric coordinates of vertices 1 and 2.
bool intersects_triangle(int triangle, vec3 origin, vec3 direction, float t_max, out float t, out vec2 uv) {
    vec3 vertex = fetch_row(bvh_triangles, 5 * triangle).xyz;
    vec3 e1 = fetch_row(bvh_triangles, 5 * triangle + 1).xyz, e2 = fetch_row(bvh_triangles, 5 * triangle + 2).xyz;
    vec3 p = cross(direction, e2);
    float inverse_determinant = 1.0 / dot(e1, p);
    vec3 from_vertex = origin - vertex;
    vec3 q = cross(from_vertex, e1);
    uv = vec2(dot(from_vertex, p), dot(direction, q)) * inverse_determinant;
    t = dot(e2, q) * inverse_determinant;
    return uv.x >= 0.0 && uv.y >= 0.0 && uv.x + uv.y <= 1.0 && t > 0.0 && t < t_max;
}

// Index of the closest triangle with 0 < t < nearest, or of any one where any_hit; -1: none. No component of the
// direction may be 0. A node that is missed continues at its skip index, so that no stack is needed.
int trace_ray(vec3 origin, vec3 direction, bool any_hit, inout float nearest, out vec2 hit_uv) {
    vec3 inverse_direction = 1.0 / direction;
    int hit_triangle = -1, node = 0;
    hit_uv = vec2(0.0);
    while (node < bvh_node_count) {
        vec4 low = fetch_row(bvh_nodes, 2 * node), high = fetch_row(bvh_nodes, 2 * node + 1);
        bool visited = intersects_box(low.xyz, high.xyz, origin, inverse_direction, nearest);
        int code = visited ? int(high.w) : -1;  // of a leaf: 8 * first triangle + count
        int end = code < 0 ? -1 : (code >> 3) + (code & 7);
        for (int i = code >> 3; i < end; i++) {
            float t;
            vec2 uv;
            if (intersects_triangle(i, origin, direction, nearest, t, uv)) {
                nearest = t;
                hit_triangle = i;
                hit_uv = uv;
                if (any_hit)
                    return hit_triangle;
            }
        }
        node = visited ? node + 1 : int(low.w);
    }
    return hit_triangle;
}
