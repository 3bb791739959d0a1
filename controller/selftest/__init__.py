"""Comparison of the product's files with the manifest of the installation."""
