"""The Debian package: its contents, and its build from a checkout with the same bytes each time."""
