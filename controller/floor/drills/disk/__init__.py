"""A disk that forgets at a loss of power whatever was not synced."""
