"""The command line: options in, screens and exit codes out."""
