"""Significant events: what a regulator wants to find again, each with a code of its own."""
