"""Toolkits as an MCP server, over streamable HTTP and stdio."""
