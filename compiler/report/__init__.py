"""`report.html`: one self-contained page about a compile. Package files in, one file out."""
