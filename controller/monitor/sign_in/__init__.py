"""Signing in and out: sessions over HTTP, their cookies, the sign-in page and the account page."""
