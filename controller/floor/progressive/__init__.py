"""The service of a linked progressive: one of two instances, with its journal, its streams and its lease."""
