"""Cameras: first person, third person, orbit, free flight, head bob and the transition of up."""
