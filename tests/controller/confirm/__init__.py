"""`tableside confirm`."""
