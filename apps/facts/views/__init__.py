"""The pages about facts, one module for each thing that they show."""
