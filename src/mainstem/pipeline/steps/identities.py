"""One physical thing, one name: the names that were said, under a set of aliases.

Distinct names are few beside events, and only those that something renames go back to Spark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.names.dataset import DatasetName
from mainstem.names.identity import Aliases, canonical
from mainstem.pipeline.steps.contents import id_of
from mainstem.pipeline.tables import ALIAS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

RENAMED = (
    "name_id bigint, dataset_id bigint, canonical_namespace string, canonical_name string,"
    " origin string"
)


def aliases_said(said: DataFrame, names: DataFrame) -> Aliases:
    """What ``symlinks`` facets say."""
    links = said.where(F.size("symlinks") > 0).select(
        "name_id", F.explode("symlinks").alias("other_id")
    )
    named = names.select("name_id", F.struct("namespace", "name").alias("own"))
    other = names.select(
        F.col("name_id").alias("other_id"), F.struct("namespace", "name").alias("other")
    )
    rows = links.distinct().join(named, "name_id", "inner").join(other, "other_id", "inner")
    return Aliases(
        datasets=[
            (DatasetName(*one.own), DatasetName(*one.other))
            for one in rows.select("own", "other").toLocalIterator()
        ]
    )


def identify(names: DataFrame, chosen: Aliases, said: Aliases) -> DataFrame:
    """Every name that was said with its canonical one; ``chosen`` are a user's aliases."""
    aliases = chosen | said
    renamed = [
        (number, id_of(*one), *one, _origin(DatasetName(namespace, name), one, chosen))
        for number, namespace, name in names.select(
            "name_id", "namespace", "name"
        ).toLocalIterator()
        if (one := canonical(namespace, name, aliases)) != (namespace, name)
    ]
    return _named(names, names.sparkSession.createDataFrame(renamed, RENAMED), "name_id")


def identified(names: DataFrame, before: DataFrame) -> DataFrame:
    """Every name with its canonical one as an earlier build found it; ``before`` is ``alias``."""
    return _named(names, before, "namespace", "name")


def _named(names: DataFrame, renamed: DataFrame, *key: str) -> DataFrame:
    found = names.join(F.broadcast(renamed), on=list(key), how="left")
    return found.select(
        "name_id", "namespace", "name", "kind", "origin",
        F.coalesce("dataset_id", F.col("name_id")).alias("dataset_id"),
        F.coalesce("canonical_namespace", F.col("namespace")).alias("canonical_namespace"),
        F.coalesce("canonical_name", F.col("name")).alias("canonical_name"),
    )  # fmt: skip


def is_renamed(names: DataFrame, named: DataFrame, before: DataFrame) -> bool:
    """Whether some name is another dataset than it was; ``before`` is ``alias`` as it stood."""
    was = before.select("namespace", "name", F.col("dataset_id").alias("was"))
    known = names.select("name_id").join(named, on="name_id", how="inner")
    found = known.join(was, on=["namespace", "name"], how="left")
    return not found.where(F.col("dataset_id") != F.coalesce("was", F.col("name_id"))).isEmpty()


def identities(names: DataFrame) -> DataFrame:
    """Every dataset with its canonical name and what its namespace tells of its kind.

    A dataset that nobody calls by its canonical name has the kind that its other names tell.
    """
    is_own = F.col("name_id") == F.col("dataset_id")
    own = names.where(is_own).select("dataset_id", "namespace", "name", "kind")
    others = names.where(~is_own).join(own.select("dataset_id"), "dataset_id", "left_anti")
    place = (F.col("canonical_namespace").alias("namespace"), F.col("canonical_name").alias("name"))
    unsaid = others.groupBy("dataset_id", *place).agg(F.max("kind").alias("kind"))
    return own.unionByName(unsaid)


def alias_rows(names: DataFrame) -> DataFrame:
    """Rows of ``alias``."""
    return ALIAS.of(names.where(F.col("origin").isNotNull()))


def _origin(said: DatasetName, one: DatasetName, chosen: Aliases) -> str:
    """What gave a name its canonical one: the spelling of its namespace, the user, a symlink."""
    if canonical(*said) == one:
        return "spelling"
    return "file" if canonical(*said, chosen) == one else "symlink"
