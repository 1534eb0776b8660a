"""Facts about the API beside endpoints: base URLs, authentication, paging, limits, answers.

In: an outline and the endpoints found in it. Out: `PageFacts`.
"""
