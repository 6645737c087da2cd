"""A bot that plays over HTTP: python examples/bot.py http://127.0.0.1:8420 TOKEN TABLE SEAT

Create the token on the account page. The bot takes its seat, listens to the table and plays random moves to the end.
"""

import json
import secrets
import sys
import urllib.request

server, token, table = sys.argv[1:4]
seat = int(sys.argv[4])


def call(path, body=None):
    """Send a request and return the response: POST if there is a body, otherwise GET."""
    request = urllib.request.Request(f"{server}/api/v1/tables/{table}{path}")
    request.add_header("Authorization", f"Bearer {token}")
    request.add_header("Content-Type", "application/json")
    if body is not None:
        request.data = json.dumps(body).encode()
    return urllib.request.urlopen(request)


def events(after):
    """Yield the name and data of every event after this one. Reconnect when the stream ends."""
    while True:
        for line in call(f"/events?seat={seat}&after={after}"):
            field, _, value = line.decode().strip().partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)
            elif field == "id":
                after = value


now = json.load(call(""))
if not now["seats"][seat]["mine"]:
    now = json.load(call("/sit", {"seat": seat}))
if now["state"] == "open" and all(other["kind"] != "empty" for other in now["seats"]):
    call("/start", {})
for name, data in events(now["event"]):
    if name == "turn":
        call("/steps", {"seat": seat, "n": data["n"], "step": secrets.choice(data["legal"])})
    elif name == "step":
        print(*(event["says"] for event in data["events"]))
    elif name == "table" and data["state"] == "over":
        print("Winners:", data["result"]["winners"], "with", data["result"]["scores"])
        break
