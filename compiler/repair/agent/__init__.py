"""What a model may add to the tools once the rules are done: every addition is proved by a call."""
