"""Parts of the checker that are loaded only when a certificate lists their rules."""
