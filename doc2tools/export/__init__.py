"""A toolkit in the shapes of others: tool schemas of model APIs, OpenAPI, LangChain."""
