"""Makes the vectors from the specification alone: nothing here imports the product or its libraries."""
