"""The write plan: something of our own is created, read, changed, deleted, and proved gone."""
