"""Parameters of found endpoints: from paths, queries, tables, lists, prose, samples and bodies.

In: an outline and the endpoints found in it. Out: the same endpoints with their parameters.
"""
