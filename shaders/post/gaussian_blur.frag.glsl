// A soft blur along one direction: nine texels by five looks between them.
in vec2 uv;
uniform sampler2D source;
uniform vec2 texel_step;  // a texel, 0..1
out vec4 colour;

void main() {
    vec3 sum = texture(source, uv).rgb * 0.2270270;
    sum += (texture(source, uv + texel_step * 1.3846154).rgb + texture(source, uv - texel_step * 1.3846154).rgb) * 0.3162162;
    sum += (texture(source, uv + texel_step * 3.2307692).rgb + texture(source, uv - texel_step * 3.2307692).rgb) * 0.0702703;
    colour = vec4(sum, 1.0);
}
