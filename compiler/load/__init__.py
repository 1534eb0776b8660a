"""Files, folders and addresses in, block trees with line spans out."""
