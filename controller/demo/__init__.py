"""A table on simulated hardware: devices, daemon and crew, each in a process or task of its own."""
