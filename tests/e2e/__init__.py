"""Tests in a real browser: Debian's chromium, a server process, and simulated people."""
