"""Where generated code runs, and the gateway that is its only way out."""
