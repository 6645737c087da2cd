"""A bot that plays over HTTP: python examples/bot.py http://127.0.0.1:8420 TOKEN TABLE SEAT

The token is made on the account page. The bot takes its seat, listens to the table, and plays at random to the end.
"""

import json
import secrets
import sys
import urllib.request

house, token, table = sys.argv[1:4]
seat = int(sys.argv[4])


def ask(path, message=None):
    """Send a request: GET without a message, POST with one. The answer can be read."""
    request = urllib.request.Request(f"{house}/api/v1/tables/{table}{path}")
    request.add_header("Authorization", f"Bearer {token}")
    request.add_header("Content-Type", "application/json")
    if message is not None:
        request.data = json.dumps(message).encode()
    return urllib.request.urlopen(request)


def events(after):
    """What happens after that event, as pairs of a name and what is told; begun again where it breaks off."""
    while True:
        for line in ask(f"/events?seat={seat}&after={after}"):
            field, _, value = line.decode().strip().partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)
            elif field == "id":
                after = value


now = json.load(ask(""))
if not now["seats"][seat]["mine"]:
    now = json.load(ask("/sit", {"seat": seat}))
if now["state"] == "open" and all(one["kind"] != "empty" for one in now["seats"]):
    ask("/start", {})
for name, told in events(now["event"]):
    if name == "turn":
        ask("/steps", {"seat": seat, "n": told["n"], "step": secrets.choice(told["legal"])})
    elif name == "step":
        print(*(event["says"] for event in told["events"]))
    elif name == "table" and told["state"] == "over":
        print("Winners:", told["result"]["winners"], "with", told["result"]["scores"])
        break
