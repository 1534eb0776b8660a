"""Tasks for training agents, drawn from the proved graph (GOAT, arXiv 2510.12218, section 3.3).

In go a compiled plan with its graph and a sandbox; out come `Sample`s, each step of which was
called, and the files that training reads.
"""
