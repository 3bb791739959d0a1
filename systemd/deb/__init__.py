"""The Debian package: what is in it, and how it is built from a checkout, the same bytes each time."""
