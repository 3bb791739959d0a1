"""A disk that fails on command, and a clock that is set, for whole processes (`disk.c`)."""
