"""Results for programs and people: JSON documents, SARIF, tables, comparisons of walks and plots."""
