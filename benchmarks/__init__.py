"""What the product costs, measured on the product: `python -m benchmarks`."""
