"""Settings: the table of settings, the settings file and key bindings."""
