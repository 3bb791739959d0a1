"""What one person asks for and another grants: lifecycle.py explains the life of a request."""
