"""Columns of two balls (rows of BallScratch.pairs, contact_pairs and found_contacts, uint32)."""

FIRST = 0  # in pairs: the lower ball
SECOND = 1
BATCH = 2  # in found_contacts only: batch of the solver
