"""The reference of the API: what its OpenAPI document says, for people."""
