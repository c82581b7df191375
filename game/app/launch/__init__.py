"""Start-up of a session: kernel compilation, level lookup, world set-up and crash reports."""
