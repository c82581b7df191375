"""Audio: sound events, volumes and the player."""
