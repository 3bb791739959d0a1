"""A table on simulated hardware: devices, daemon and crew, each in its place, for all to watch."""
