"""Tests of a level: their data, the reader of their fields, and files of tests beside a level."""
