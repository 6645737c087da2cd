"""Middleware and limits between the network and the routes: size, origin, headers, rate limits, errors."""
