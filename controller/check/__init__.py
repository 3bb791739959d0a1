"""Checks what a configuration means for the house: the edge of each bet, with warnings if a player has it."""
