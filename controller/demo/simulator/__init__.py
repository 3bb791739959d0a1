"""A table to touch: the felt, the chips and the simulated devices of a demonstration as a page.

The page acts on the control sockets of the simulated devices, as hands do. It reaches neither the daemon nor
its web server: the table sees what its devices see, over their wires.
"""
