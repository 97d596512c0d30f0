"""Measures the index and its pages, each figure next to its yardstick in the same run."""
