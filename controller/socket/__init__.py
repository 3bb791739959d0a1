"""The table socket: how programs on this machine ask the table's core and act on the table."""
