// Shadow map: depth only.
void main() {}
