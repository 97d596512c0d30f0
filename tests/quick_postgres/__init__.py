"""PostgreSQL as tests use it."""
