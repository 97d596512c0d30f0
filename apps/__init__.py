"""The parts of the console, one folder each."""
