"""The campaign against the checker: mutated certificates, fuzzing, differential tests, mutants of the checker."""
