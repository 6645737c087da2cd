"""Screens of different sizes, in light and dark mode."""

from typing import Any

WIDTH = 390
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": WIDTH, "height": 844}, "is_mobile": True, "has_touch": True}
LIGHT: dict[str, Any] = {"color_scheme": "light"}
DARK: dict[str, Any] = {"color_scheme": "dark"}
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
"""Reduced motion: every change is immediate."""
