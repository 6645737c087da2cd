"""How much a browser loads on a first visit: a page and all its files."""

import re
from random import Random

from signoria.server.bench.client import BenchClient
from signoria.server.bench.pairs import Pair

NAMED = re.compile(r"""(?:src|href)="([^"#]+)"[^>]*>|url\(["']?([^"')]+)""")
FOREIGN = re.compile(r"@font-face {[^}]*unicode-range: U\+(?!0-)[^}]*}")
"""Fonts that a browser loads only for pages with certain names."""
LOADED = re.compile(r"<(?:link|script|img)\b[^>]*>")


async def first_load(client: BenchClient, path: str, cookie: str = "") -> int:
    """Bytes of a page with its styles, scripts and pictures, including headers; raises if it uses another host."""
    page = await client.get(path, cookie)
    size, seen = page.wire, set()
    wanted = [found[1] or found[2] for tag in LOADED.findall(page.text) for found in NAMED.finditer(tag)]
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        if not name.startswith("/"):
            raise ValueError(f"{path} loads {name}, which is not from here.")
        part = await client.get(name, cookie)
        if part.status != 200:
            raise ValueError(f"{path} loads {name}: {part.status}.")
        size += part.wire
        if part.header("content-type").startswith("text/css"):
            wanted += [
                found[2]
                for found in NAMED.finditer(FOREIGN.sub("", part.text))
                if found[2] and not found[2].startswith(("data:", "#"))
            ]
    return size


async def largest_table(client: BenchClient, games: tuple[str, ...], rng: Random) -> int:
    """The bytes of a table's page in the second half of a game, for the larger of the games."""
    sizes = []
    for game in games:
        pair = Pair(game, rng, client)
        await pair.open()
        await pair.look()
        for _ in range(60):
            if not pair.over:
                await pair.step(0)
        sizes.append(await first_load(client, f"/tables/{pair.id}", pair.cookie))
        pair.leave()
    return max(sizes)
