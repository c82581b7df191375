"""What a tick, a mesh and a picture cost, here and with other character controllers."""
