"""The ledger: what people and policies decided, one event a line."""
