"""Where people come in: the door, its cookies, the page to sign in on, and what keeps crowds out."""
