"""The uplink: it sends the journal of one table to the floor."""
