"""The dealer's console on the table's own screen: a browser that shows one page and nothing else."""
