"""A USB device without hardware: its endpoints and descriptors, and a bus of umockdev to plug it into."""
