"""Pure passes from page drafts to one API specification."""
