"""PostgreSQL as this site uses it."""
