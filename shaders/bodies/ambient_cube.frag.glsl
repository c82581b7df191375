// Ambient light of balls and bodies.
flat in vec3 light;
out vec4 face;

void main() { face = vec4(light, 1.0); }
