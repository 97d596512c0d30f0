"""Pages in a real browser: nothing fails in its console, everyone can read and reach everything."""
