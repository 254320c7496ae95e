"""What Schemathesis cannot write by itself: the body of a payout file is text already."""

import schemathesis


@schemathesis.serializer("application/jsonl", "application/x-ndjson")
def lines(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode()
