"""What two persons decide about a level of a linked progressive, and what the level makes of it."""
