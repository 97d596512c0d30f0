"""The journal: what agents said, one operation a line."""
