"""What the floor costs, beside the targets of docs/floor.md: `make bench-floor`."""
