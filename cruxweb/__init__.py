"""The site: settings, addresses, middleware and workers."""
