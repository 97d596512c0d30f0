"""Pages as a person gets them: status, what stands on them, what was written."""
