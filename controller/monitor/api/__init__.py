"""The API by which people act on the table: always the person who is signed in, whom no body names."""
