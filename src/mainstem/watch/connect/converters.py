"""How a connector's records are written: its converters, and the schema registry they ask.

The one part of a config that is read with its credentials, which leave as ``Secret`` values.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct

from mainstem.watch.connect.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Mapping

LIFECYCLE_SMT = "io.factorhouse.smt.OpenLineageLifecycleSmt"

_REGISTRY_CLASSES = ("AvroConverter", "ProtobufConverter", "JsonSchemaConverter")
_OTHER_REGISTRIES = ("com.amazonaws.", "io.apicurio.")
"""Converters with the same simple names that speak another registry's own protocol."""

_EMBEDDING_CLASSES = ("org.apache.kafka.connect.json.JsonConverter", "JsonConverter", "Json")
"""A worker also knows its plugins by shorter names."""

_BEARER = "bearer.auth.credentials.source"
_USER_INFO = ("basic.auth.user.info", "schema.registry.basic.auth.user.info")

_FORMATS = {"AVRO": True, "PROTOBUF": True, "JSON_SR": True}
"""A managed connector names the format of its records in place of a converter."""


class Login(Struct, frozen=True):
    """What opens a registry, as a config gives it."""

    username: str | None = None
    password: Secret | None = None
    bearer: Secret | None = None


class Converter(Struct, frozen=True):
    """How the key or the value of records is written, as far as a config says."""

    uses_registry: bool | None = None
    """None: it does not say, so that the worker's own decides."""

    embeds_schema: bool = False
    """Whether each record carries its schema, as JsonConverter writes it by default."""

    urls: tuple[str, ...] = ()
    """Where the registry answers, without user info."""

    login: Login | None = None
    cannot_log_in: str | None = None
    """The setting by which it logs in as we cannot, or whose value only the worker has."""

    strategy: str = "TopicNameStrategy"
    """The simple name of the class that names subjects."""

    record_name: str | None = None
    """What SetSchemaMetadata calls the record, where the config has it."""


class Converters(Struct, frozen=True):
    """Of the keys and of the values of a connector's records."""

    key: Converter = Converter()
    value: Converter = Converter()


def read_converters(
    config: Mapping[str, str], provided: Mapping[str, str] | None = None
) -> Converters:
    """The converters of a connector's config or a worker's properties.

    ``provided`` are values of placeholders, by the whole placeholder.

    >>> read_converters({"value.converter": "a.b.StringConverter"}).value.uses_registry
    False
    """
    if not any(_tells_of_a_converter(key) for key in config):
        return _WORKERS_OWN
    filled = _filled(config, provided) if provided else config
    return Converters(_read(filled, "key"), _read(filled, "value"))


_WORKERS_OWN = Converters()


def _tells_of_a_converter(key: str) -> bool:
    return "converter" in key or key == "transforms" or key.endswith(".format")


def _filled(config: Mapping[str, str], provided: Mapping[str, str]) -> dict[str, str]:
    filled = dict(config)
    for key, value in config.items():
        for placeholder, text in provided.items() if "${" in value else ():
            filled[key] = filled[key].replace(placeholder, text)
    return filled


def _read(config: Mapping[str, str], side: str) -> Converter:
    own = _below(config, f"{side}.converter.")
    declared = _lifecycle_keys(config, side)
    if _is_false(declared, "schema.read"):
        return Converter(uses_registry=False)
    keys = own if "schema.registry.url" in own else {**own, **declared}
    urls = [_parts(url) for url in keys.get("schema.registry.url", "").split(",")]
    known = [parts for parts in urls if parts is not None]
    class_name = config.get(f"{side}.converter", "").strip()
    strategy = keys.get(f"{side}.subject.name.strategy", "").rpartition(".")[2]
    return Converter(
        uses_registry=_uses_registry(config, side, class_name, declared),
        embeds_schema=class_name in _EMBEDDING_CLASSES and not _is_false(own, "schemas.enable"),
        urls=tuple(_without_user(parts) for parts in known),
        login=_login(keys, config, known),
        cannot_log_in=_cannot_log_in(keys),
        strategy=strategy or "TopicNameStrategy",
        record_name=_record_name(config, side),
    )


def _uses_registry(
    config: Mapping[str, str], side: str, class_name: str, declared: Mapping[str, str]
) -> bool | None:
    if declared.get("schema.read", "").strip().lower() == "true":
        return True
    if class_name:
        is_other = class_name.startswith(_OTHER_REGISTRIES)
        return class_name.endswith(_REGISTRY_CLASSES) and not is_other
    kind = "data" if side == "value" else "key"
    for way in ("input", "output"):
        form = config.get(f"{way}.{kind}.format", "").strip().upper()
        if form:
            return _FORMATS.get(form, False)
    return None


def _is_false(keys: Mapping[str, str], key: str) -> bool:
    return keys.get(key, "").strip().lower() == "false"


def _lifecycle_keys(config: Mapping[str, str], side: str) -> dict[str, str]:
    """The keys of the OpenLineageLifecycleSmt in the chain, which asks a registry itself."""
    for alias in config.get("transforms", "").split(","):
        prefix = f"transforms.{alias.strip()}."
        if config.get(f"{prefix}type") == LIFECYCLE_SMT:
            return _below(config, f"{prefix}{side}.converter.")
    return {}


def _record_name(config: Mapping[str, str], side: str) -> str | None:
    for alias in config.get("transforms", "").split(","):
        prefix = f"transforms.{alias.strip()}."
        if config.get(f"{prefix}type", "").endswith(f"SetSchemaMetadata${side.capitalize()}"):
            return config.get(f"{prefix}schema.name")
    return None


def _cannot_log_in(keys: Mapping[str, str]) -> str | None:
    """Which setting keeps us from logging in as the converter does."""
    source = keys.get(_BEARER, "").strip().upper()
    if source not in {"", "STATIC_TOKEN"}:
        return f"{_BEARER}={source}" if source.isidentifier() else _BEARER
    for key in ("bearer.auth.token", *_USER_INFO):
        if "${" in keys.get(key, ""):
            return f"{key} with a placeholder that nothing provides"
    return None


def _login(
    keys: Mapping[str, str], config: Mapping[str, str], urls: list[SplitResult]
) -> Login | None:
    if keys.get(_BEARER, "").strip().upper() == "STATIC_TOKEN":
        token = keys.get("bearer.auth.token", "")
        return Login(bearer=Secret(token)) if _is_known(token) else None
    match keys.get("basic.auth.credentials.source", "URL").strip().upper():
        case "USER_INFO":
            told = next((keys[key] for key in _USER_INFO if key in keys), "")
            return _basic(*told.partition(":")[::2])
        case "SASL_INHERIT":
            return _basic(*_jaas(keys, config))
        case "URL":
            users = [parts for parts in urls if parts.username]
            user, password = (users[0].username, users[0].password) if users else ("", "")
            return _basic(unquote(user or ""), unquote(password or ""))
        case _:
            return None


def _basic(username: str, password: str) -> Login | None:
    if not username or not (_is_known(username) and _is_known(password)):
        return None
    return Login(username, Secret(password))


def _jaas(keys: Mapping[str, str], config: Mapping[str, str]) -> tuple[str, str]:
    """User and password of the Kafka client: the converter's own, else the connector's."""
    overrides = ("producer.override.", "consumer.override.", "")
    found = [keys.get("sasl.jaas.config")]
    found += [config.get(f"{prefix}sasl.jaas.config") for prefix in overrides]
    text = next((each for each in found if each), "")
    try:
        words = shlex.split(text.strip().removesuffix(";"))
    except ValueError:
        return "", ""
    options = {word.partition("=")[0]: word.partition("=")[2] for word in words}
    return options.get("username", ""), options.get("password", "")


def _is_known(value: str) -> bool:
    """Whether it is a value, and not a placeholder that only the worker can fill in."""
    return bool(value) and "${" not in value


def _below(config: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {key[len(prefix) :]: value for key, value in config.items() if key.startswith(prefix)}


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return None
    # a port that is no number shows only when it is asked for
    return parts if usable and _has_port(parts) else None


def _has_port(parts: SplitResult) -> bool:
    try:
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


def _without_user(parts: SplitResult) -> str:
    address = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=address, query="", fragment="").geturl().rstrip("/")
