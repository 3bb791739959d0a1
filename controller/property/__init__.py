"""What the tables of a property and its floor say to each other: names, subjects and signed messages."""
