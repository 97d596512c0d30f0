"""The demo store: a year in the life of two small companies' agents, told as data and written as a daemon would."""
