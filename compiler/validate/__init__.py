"""Plans calls, runs them in the sandbox, and judges what came back."""
