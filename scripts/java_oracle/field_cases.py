"""Questions about a record's fields: Apache's transforms over records of many shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle import OLD_KAFKA

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from oracle import Question

APACHE = "org.apache.kafka.connect.transforms"
NAMES = ("id", "name", "price", "buyer", "city", "tags", "ts", "x_y", "flag", "note")
NUMBERS = ("int8", "int16", "int32", "int64", "float32", "float64")
LEAVES = (*NUMBERS, "int64", "string", "string", "boolean", "bytes", "array", "map", "timestamp",
          "date", "time", "decimal")  # fmt: skip
DELIMITERS = ("_", ".", "-", "", "__", " ")
Options = dict[str, str]


def questions(random: Random) -> dict[str, list[Question]]:
    """By the name of the file that keeps the answers."""
    return {
        "replace_field": [replace_field(random) for _ in range(160)],
        "flatten": [asked(random, "Flatten", flatten(random)) for _ in range(90)],
        "other_fields": [
            asked(random, name, options(random)) for name, options in OTHERS for _ in range(30)
        ],
        "value_to_key": [value_to_key(random) for _ in range(40)],
        "field_chains": [chained(random) for _ in range(60)],
    }


def record(random: Random, depth: int = 2, most: int = 5) -> dict[str, Any]:
    names = random.sample(NAMES, random.randint(1, most))
    return {name: field(random, depth) for name in names}


def field(random: Random, depth: int) -> Any:
    if depth and random.random() < 0.3:
        return record(random, depth - 1, 3)
    return random.choice(LEAVES) + random.choice(["", "", "?"])


def whole(random: Random) -> Any:
    return record(random) if random.random() < 0.9 else random.choice(LEAVES)


def asked(random: Random, name: str, options: Options) -> Question:
    side = random.choice(["$Value", "$Value", "$Key"])
    key = record(random, 1, 2) if side == "$Value" else whole(random)
    value = whole(random) if side == "$Value" else record(random, 1, 2)
    step = {"type": f"{APACHE}.{name}{side}", **options}
    return {"steps": [step], "topic": "t", "value": value, "key": key}


def some_names(random: Random, most: int = 3) -> str:
    between = random.choice([",", ", ", " , "])
    return between.join(random.sample(NAMES, random.randint(1, most)))


def replace_field(random: Random) -> Question:
    options: Options = {}
    for names, chance in (
        (("exclude", "blacklist"), 0.4),
        (("include", "whitelist"), 0.4),
        (("renames",), 0.5),
    ):
        if random.random() < chance:
            option = random.choice([names[0], names[0], names[-1]])
            options[option] = renames(random) if option == "renames" else some_names(random, 5)
    question = asked(random, "ReplaceField", options)
    # Kafka 4 passes over the old names.
    legacy = options.keys() & {"whitelist", "blacklist"}
    return question | ({"kafka": OLD_KAFKA} if legacy else {})


def renames(random: Random) -> str:
    if random.random() < 0.1:
        return random.choice(["id", "id:", ":x", "id:a:b", "id:x,", "", "id: x", "id :x"])
    old = random.sample(NAMES, random.randint(1, 3))
    new = random.sample(("r1", "r2", "a.b", *NAMES), len(old))
    return ",".join(f"{one}:{other}" for one, other in zip(old, new, strict=True))


def flatten(random: Random) -> Options:
    return {"delimiter": random.choice(DELIMITERS)} if random.random() < 0.8 else {}


def mask(random: Random) -> Options:
    options = {"fields": some_names(random, 2)}
    if random.random() < 0.3:
        options["replacement"] = random.choice(["7777", "***"])
    return options


def insert(random: Random) -> Options:
    options: Options = {}
    for name in ("topic", "partition", "offset", "timestamp", "static"):
        if random.random() < 0.4:
            new = random.choice(("new", "id", "price", "a.b")) + name * (random.random() < 0.8)
            options[f"{name}.field"] = new + random.choice(["", "", "!", "?"])
    if "static.field" in options and random.random() < 0.9:
        options["static.value"] = "fixed"
    return options


def cast(random: Random) -> Options:
    if random.random() < 0.15:
        return {"spec": random.choice(["int32", "string", "id:", ":string", "id:nope", "float64"])}
    names = random.sample(NAMES, random.randint(1, 3))
    types = (*NUMBERS, "string", "string", "boolean")
    between = random.choice([":", ":", ":", " : "])
    return {"spec": ",".join(name + between + random.choice(types) for name in names)}


def timestamp(random: Random) -> Options:
    options = {
        "target.type": random.choice(["string", "unix", "Date", "Time", "Timestamp", "date"])
    }
    if random.random() < 0.85:
        options["field"] = random.choice(["ts", "id", "price"])
    if random.random() < 0.7:
        options["format"] = "yyyy-MM-dd"
    if random.random() < 0.2:
        options["unix.precision"] = random.choice(["seconds", "microseconds", "nope"])
    return options


def header_from(random: Random) -> Options:
    fields = some_names(random, 2)
    headers = ",".join(f"h{at}" for at in range(fields.count(",") + 1))
    return {"fields": fields, "headers": headers, "operation": random.choice(["move", "copy", "x"])}


def extract(random: Random) -> Options:
    path = random.choice(NAMES)
    if random.random() < 0.5:
        path += "." + random.choice(NAMES)
    version = random.choice(["V1", "V2", "V2", "v2", None])
    quoted = f"`{path}`" if random.random() < 0.15 else path
    options = {"field": quoted} | ({"field.syntax.version": version} if version else {})
    return options | ({"replace.null.with.default": "false"} if random.random() < 0.2 else {})


OTHERS: tuple[tuple[str, Callable[[Random], Options]], ...] = (
    ("MaskField", mask),
    ("InsertField", insert),
    ("Cast", cast),
    ("TimestampConverter", timestamp),
    ("HeaderFrom", header_from),
    ("ExtractField", extract),
    ("ExtractField", extract),
    ("HoistField", lambda random: {"field": random.choice(["row", "id", " row ", "a.b"])}),
    ("SetSchemaMetadata", lambda random: {"schema.name": random.choice(["n", "a.b.C"])}),
)


def value_to_key(random: Random) -> Question:
    fields = some_names(random, 2)
    step = {"type": f"{APACHE}.ValueToKey", "fields": fields}
    if random.random() < 0.2:
        step["replace.null.with.default"] = "false"
    value = record(random, 2, 6)
    for name in fields.split(","):
        if random.random() < 0.8:
            value.setdefault(name.strip(), "string")
    return {"steps": [step], "topic": "t", "value": value, "key": record(random, 1, 2)}


def chained(random: Random) -> Question:
    """Two or three transforms of one value, among them those that touch headers only."""
    kinds = (
        ("Flatten$Value", flatten),
        ("ReplaceField$Value", lambda r: {"renames": renames(r)}),
        ("ReplaceField$Value", lambda r: {"exclude": some_names(r)}),
        ("HoistField$Value", lambda _: {"field": "row"}),
        ("MaskField$Value", mask),
        ("InsertField$Value", insert),
        ("DropHeaders", lambda _: {"headers": "h"}),
        ("InsertHeader", lambda _: {"header": "h", "value.literal": "1"}),
        ("SetSchemaMetadata$Value", lambda _: {"schema.version": "2"}),
    )
    picked = random.sample(kinds, random.choice([2, 3]))
    steps = [{"type": f"{APACHE}.{name}", **options(random)} for name, options in picked]
    return {"steps": steps, "topic": "t", "value": record(random), "key": record(random, 0, 2)}
