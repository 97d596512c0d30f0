"""Long work: one row a run."""
