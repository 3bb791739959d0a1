"""The Debian packages: their contents, and their build from a checkout with the same bytes each time."""
