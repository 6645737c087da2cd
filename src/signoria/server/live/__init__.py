"""Streams of server-sent events to browsers and programs."""
