"""Drills: what the floor promises, tried with real servers, journals and processes in a temporary folder."""
