"""What facets say of a job."""

from __future__ import annotations

from mainstem.said.event import JobName
from mainstem.said.json_values import Json, as_object, as_objects, as_text, as_texts


def parent_job(run_facets: Json) -> JobName | None:
    """The job that started this one, as a ``parent`` run facet tells it."""
    said = as_object(as_object(run_facets.get("parent")).get("job"))
    namespace, name = said.get("namespace"), said.get("name")
    if isinstance(namespace, str) and isinstance(name, str) and name:
        return JobName(namespace, name)
    return None


def processing_type(facets: Json) -> str:
    """Marquez's word for a job's type."""
    said = as_object(facets.get("jobType")).get("processingType")
    return "STREAM" if said in ("STREAMING", "STREAM") else "BATCH"


def labels(facets: Json) -> list[str]:
    """Marquez's labels: the job's own type and its integration."""
    said = as_object(facets.get("jobType"))
    return as_texts([said.get("jobType"), said.get("integration")])


def location(facets: Json) -> str | None:
    """Where the job's source code lies."""
    return as_text(as_object(facets.get("sourceCodeLocation")).get("url"))


def description(facets: Json) -> str | None:
    """What the documentation facet says."""
    return as_text(as_object(facets.get("documentation")).get("description"))


def owners(facets: Json) -> list[str]:
    """Who owns it, by name."""
    said = as_objects(as_object(facets.get("ownership")).get("owners"))
    return as_texts([owner.get("name") for owner in said])


def tags_said(facets: Json) -> list[str]:
    """The tags of a ``tags`` facet, as ``key`` or ``key:value``; those of a field left out."""
    said = as_objects(as_object(facets.get("tags")).get("tags"))
    return [_tag(tag) for tag in said if as_text(tag.get("key")) and not tag.get("field")]


def config_version(run_facets: Json, job_facets: Json) -> str:
    """What names the job's configuration: the connector's hash, else where its code lies."""
    said = as_object(run_facets.get("mainstem_connector")).get("configVersion")
    return said if isinstance(said, str) else location(job_facets) or ""


def _tag(tag: Json) -> str:
    value = tag.get("value")
    plain = value in (None, "", "true")
    return tag["key"] if plain else f"{tag['key']}:{value}"
