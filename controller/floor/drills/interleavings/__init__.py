"""A linked progressive with everything that can go wrong, in memory and without a clock."""
