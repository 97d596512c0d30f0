"""A copy of a data folder that can be checked by itself, and the way back from one."""
