"""The simulated crew: a dealer and players at the devices of a demonstration."""
