"""The Debian package: what is in it, and its whole life in a clean Debian that boots (`make deb-test`)."""
