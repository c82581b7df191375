"""Documents of the editor: fields of a piece, undo history, job queue and external text editors."""
