"""The extractor rules, one file each, registered through one hook."""
