"""What games are worth: by play, and by enumeration."""
