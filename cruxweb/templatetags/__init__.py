"""Tags that every template of the site may load."""
