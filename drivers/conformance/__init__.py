"""Conformance: checks of a device against firmware-protocol/README.md, and their report."""
