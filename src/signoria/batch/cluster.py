"""Runs tasks on a Ray cluster. Ray is an optional dependency, imported only when a cluster is used.

Ray runs the tasks of a machine that was lost again on another one.
"""

from collections.abc import Callable
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from signoria.kernel.errors import BadOption, SignoriaError

AHEAD = 2
"""Tasks queued for each core of the cluster, so that no core waits."""
RETRIES = 5
"""How often Ray runs a task again whose machine was lost."""


class ClusterFailed(SignoriaError):
    """The cluster cannot play the games."""


class Cluster:
    """The tasks that this program runs on a Ray cluster."""

    def __init__(self, address: str) -> None:
        """Join the cluster at an address, or use one that this program has already joined; raises `BadOption`."""
        try:
            self._ray: Any = import_module("ray")
        except ImportError as error:
            raise BadOption("ray: not installed; install signoria with the extra [cluster].") from error
        self._joined = not self._ray.is_initialized()
        if self._joined:
            try:
                self._ray.init(address=address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise BadOption(f"ray: no cluster found at {address!r}: {error}") from error
        self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._there: dict[Callable[..., Any], Any] = {}
        self._running: dict[Any, str] = {}

    @property
    def room(self) -> int:
        """How many more tasks should be started to keep every core busy."""
        return AHEAD * self._cores - len(self._running)

    def share(self, data: Any) -> Any:
        """Send data to the cluster once, to pass it to many tasks."""
        return self._ray.put(data)

    def start(self, name: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Run a function on a core of the cluster. Errors name the task."""
        if function not in self._there:
            self._there[function] = self._ray.remote(num_cpus=1, max_retries=RETRIES)(function)
        self._running[self._there[function].remote(*arguments)] = name

    def finished(self, *, wait: bool) -> list[Any]:
        """Results of tasks that have finished since the last call; raises `ClusterFailed`.

        With `wait` there is at least one result, unless nothing is running.
        """
        if not self._running:
            return []
        running = list(self._running)
        number, timeout = (1, None) if wait else (len(running), 0)
        return [self._result(one) for one in self._ray.wait(running, num_returns=number, timeout=timeout)[0]]

    def _result(self, task: Any) -> Any:
        name = self._running.pop(task)
        try:
            return self._ray.get(task)
        except self._ray.exceptions.RayTaskError as error:
            raise ClusterFailed(f"{name}: a machine of the cluster failed: {error.cause}") from error
        except self._ray.exceptions.RayError as error:
            raise ClusterFailed(
                f"{name}: the cluster lost them {RETRIES + 1} times ({type(error).__name__})."
            ) from error

    def cancel(self) -> None:
        """Stop all tasks."""
        for task in self._running:
            self._ray.cancel(task, force=True)
        self._running.clear()

    def close(self) -> None:
        """Stop all tasks, and leave the cluster if this program joined it here."""
        self.cancel()
        if self._joined:
            self._ray.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
