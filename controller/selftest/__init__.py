"""The daemon's own files against the list of what was installed."""
