"""What games are worth: simulated, and enumerated exactly."""
