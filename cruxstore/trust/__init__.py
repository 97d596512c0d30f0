"""What people may believe of what is stored: rules from values alone."""
