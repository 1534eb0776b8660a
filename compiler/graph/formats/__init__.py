"""The graph for other programs and for the eye: GraphML, Mermaid, SVG.

Names come from documentation and servers: each format escapes them in its own way.
"""
