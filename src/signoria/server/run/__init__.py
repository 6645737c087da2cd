"""Running the server: sockets, processes, logs, metrics, locks, heartbeat, warm-up."""
