// What bright places give to those around them; added to the picture.
in vec2 at;
uniform sampler2D close;
uniform sampler2D wide;
uniform float strength;
out vec4 colour;

void main() {
    colour = vec4(strength * (0.5 * texture(close, at).rgb + texture(wide, at).rgb), 0.0);
}
