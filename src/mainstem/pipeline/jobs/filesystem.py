"""Directories as Spark reaches them: on this machine, in a cluster or in an object store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def find_files(spark: SparkSession, path: str) -> dict[str, str] | None:
    """Every file that a path, a directory or a glob stands for, with its size and time.

    None where nothing is there. A Spark job that lists them would cost a second of CPU.
    """
    context: Any = spark.sparkContext
    place = getattr(context._jvm, "org.apache.hadoop.fs.Path")(path)  # noqa: SLF001
    system = place.getFileSystem(context._jsc.hadoopConfiguration())  # noqa: SLF001
    waiting = list(system.globStatus(place) or ())
    if not waiting:
        return None
    found: dict[str, str] = {}
    while waiting:
        one = waiting.pop()
        if one.isDirectory():
            inside = system.listStatus(one.getPath())
            waiting += [each for each in inside if not _is_hidden(each.getPath().getName())]
        else:
            changed = one.getModificationTime() / 1000
            found[one.getPath().toString()] = f"{one.getLen()} {changed}"
    return found


def _is_hidden(name: str) -> bool:
    """Whether Spark passes over files and directories of such a name, wherever it lists them."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


class Files:
    """A directory on any file system that Spark knows."""

    def __init__(self, spark: SparkSession, root: str) -> None:
        context: Any = spark.sparkContext
        jvm = context._jvm  # noqa: SLF001 - pyspark has no other way to a file system
        configuration = context._jsc.hadoopConfiguration()  # noqa: SLF001
        self._path = getattr(jvm, "org.apache.hadoop.fs.Path")
        self._io = getattr(jvm, "org.apache.commons.io.IOUtils")
        self._system = self._path(root).getFileSystem(configuration)
        self.root = root.rstrip("/")

    def read(self, name: str) -> bytes | None:
        """A file's bytes; None where there is none."""
        path = self._path(f"{self.root}/{name}")
        if not self._system.exists(path):
            return None
        stream = self._system.open(path)
        try:
            return bytes(self._io.toByteArray(stream))
        finally:
            stream.close()

    def write(self, name: str, data: bytes) -> None:
        """Put bytes in a file's place: a reader sees the old ones or the new ones."""
        path, fresh = self._path(f"{self.root}/{name}"), self._path(f"{self.root}/{name}.new")
        stream = self._system.create(fresh, True)
        try:
            stream.write(data)
        finally:
            stream.close()
        self._system.delete(path, False)
        self._system.rename(fresh, path)

    def delete(self, name: str) -> None:
        """Delete a directory and what it holds, if it is there."""
        self._system.delete(self._path(f"{self.root}/{name}"), True)

    def move(self, directory: str, to: str) -> None:
        """Have a directory lie elsewhere on the same file system, where nothing lies yet."""
        source, place = self._path(directory), self._path(to)
        self._system.mkdirs(place.getParent())
        if not self._system.rename(source, place):
            raise OSError(f"{directory} could not be moved to {to}")

    def listed(self, name: str = "") -> list[str]:
        """What a directory holds; nothing where there is none."""
        path = self._path(f"{self.root}/{name}")
        if not self._system.exists(path):
            return []
        return sorted(one.getPath().getName() for one in self._system.listStatus(path))

    def holds(self, name: str, ending: str) -> bool:
        """Whether some file in a directory, or below it, ends so."""
        found = self._system.listFiles(self._path(f"{self.root}/{name}"), True)
        while found.hasNext():
            if found.next().getPath().getName().endswith(ending):
                return True
        return False
