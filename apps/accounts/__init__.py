"""People, their sign-ins, roles and tenants."""
