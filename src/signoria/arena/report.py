def write_report(summary: object, command: str) -> str:
    """."""
    return ""
