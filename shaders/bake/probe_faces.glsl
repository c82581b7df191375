// Light bake: faces of the ambient cube of a light probe.
layout(location = 0) out vec4 positive_x;  // light; w: metres to a surface
layout(location = 1) out vec4 negative_x;
layout(location = 2) out vec4 positive_y;
layout(location = 3) out vec4 negative_y;
layout(location = 4) out vec4 positive_z;
layout(location = 5) out vec4 negative_z;
layout(location = 6) out float back_faces;  // fraction of the rays that hit one
