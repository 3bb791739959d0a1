"""A device on USB without USB: its endpoints and descriptors, and a bus of umockdev's to plug it into."""
