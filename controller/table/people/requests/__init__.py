"""What somebody asks for and others must grant."""
