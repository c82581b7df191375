// Light bake: faces of the ambient cube of a light probe. What arrives along rays adds up by blending.
layout(location = 0) out vec4 positive_x;  // radiance times the cosine; w: metres to a surface
layout(location = 1) out vec4 negative_x;
layout(location = 2) out vec4 positive_y;
layout(location = 3) out vec4 negative_y;
layout(location = 4) out vec4 positive_z;
layout(location = 5) out vec4 negative_z;
layout(location = 6) out float back_faces;  // 1 where the ray hits one

void write_faces(vec4 value, vec3 direction, float back_face) {
    vec3 positive = max(direction, 0.0), negative = max(-direction, 0.0);
    positive_x = value * positive.x;
    negative_x = value * negative.x;
    positive_y = value * positive.y;
    negative_y = value * negative.y;
    positive_z = value * positive.z;
    negative_z = value * negative.z;
    back_faces = back_face;
}
