"""Layout: grid status."""

# as WANDERS: too far-reaching for a column; gone further than its pairs were looked for
TOO_WIDE = 1
LEFT_REACH = 2
