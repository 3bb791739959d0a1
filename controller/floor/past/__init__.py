"""Answers of worker processes to the floor's pages about what is past."""
