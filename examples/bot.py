"""A bot that plays over HTTP: python examples/bot.py http://127.0.0.1:8420 TOKEN TABLE SEAT

Make the token on the account page. It takes the seat if it is free, listens to the table, and plays at random.
"""

import json
import random
import sys
import urllib.request

house, token, table, seat = sys.argv[1:5]


def ask(path, message=None, stream=False):
    """The answer to a request: GET without a message, POST with one."""
    request = urllib.request.Request(f"{house}/api/v1/tables/{table}{path}", headers={"Authorization": f"Bearer {token}"})
    if message is not None:
        request.data = json.dumps(message).encode()
        request.add_header("Content-Type", "application/json")
    answer = urllib.request.urlopen(request)
    return answer if stream else json.load(answer)


def events(after):
    """What happens from now on: pairs of a name and what is told."""
    name = ""
    for line in ask(f"/events?seat={seat}&after={after}", stream=True):
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


now = ask("")
if now["state"] == "open" and not now["seats"][int(seat)]["mine"]:
    now = ask("/sit", {"seat": int(seat)})
if now["state"] == "open" and all(place["kind"] != "empty" for place in now["seats"]):
    ask("/start", {})
for name, told in events(after=now["event"]):
    if name == "turn":
        ask("/steps", {"seat": int(seat), "n": told["n"], "step": random.choice(told["legal"])})
    elif name == "step":
        print(*(event["says"] for event in told["events"]))
    elif name == "table" and told["state"] == "over":
        print("Winners:", told["result"]["winners"], told["result"]["reason"])
        break
