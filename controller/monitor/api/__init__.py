"""What people say to the table over HTTP: who says it is whoever is signed in, never a word of the body."""
