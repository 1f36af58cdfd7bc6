"""Takes credentials out of text that people will read: URLs, messages, stack traces."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

MASK = "***"

SECRET_KEY = re.compile(
    r"pass(word|wd|phrase|code)?\b|passwd|pwd|secret|token|credential|api[._-]?key|access[._-]?key"
    r"|private[._-]?key|jaas|sasl\.(?:mechanism\.)?oauth|basic\.auth\.user\.info|auth(?:orization)?$"
    r"|keyfile|key\.json|\bsas\b|shared[._-]?access|account[._-]?key|ssl\.key",
    re.IGNORECASE,
)
"""A config key that matches names a credential, whoever declares it."""

_CREDENTIAL = (
    r"(?:password|passwd|passphrase|passcode|pwd|secret|token|credential|api[._-]?key"
    r"|access[._-]?key(?:[._-]?id)?|private[._-]?key|account[._-]?key|user[._-]?info|signature"
    r"|sharedaccesskey|\bsig|jaas[._-]?config)"
)
_CREDENTIAL_WORD = rf"[\w.\-]*{_CREDENTIAL}[\w.\-]*"
_NAMES_A_CREDENTIAL = re.compile(_CREDENTIAL, re.IGNORECASE)

Replacement = str | Callable[[re.Match[str]], str]

RECOGNISED_BY_FORM: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    (
        re.compile(r"-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|\Z)", re.DOTALL),
        MASK,
    ),
    (
        re.compile(r"\b((?:Bearer|Basic|Negotiate)\s+)(?!\*\*\*)[\w\-.~+/=]{4,}", re.IGNORECASE),
        rf"\1{MASK}",
    ),
    (re.compile(r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}\b"), MASK),
    (re.compile(r"\beyJ[\w\-]{5,}\.[\w\-]{5,}(?:\.[\w\-]*)?"), MASK),
    (re.compile(r"\b(?:gh[pousr]_|xox[abprs]-|glpat-|sk-|AIza)[\w\-]{10,}"), MASK),
)

_FORM_BEGINS = (
    *("-----begin", "bearer", "basic", "negotiate", "akia", "asia", "aroa", "aida", "eyj"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "xox", "glpat-", "sk-", "aiza"),
)
"""What every text that is recognised by form holds: most values are spared the patterns above.

Looking for each word costs a tenth of one pattern that has them all."""

_SHORTEST_FORM = len("Basic abcd")

RECOGNISED_BY_ITS_ENDS: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    # secretKey=RAW(…) or RAW{…} of Camel, in which everything may stand
    (
        re.compile(
            rf"({_CREDENTIAL_WORD}\s*=\s*)RAW(?:\(.*?(?:\)(?=&|['\"]?(?:\n|\Z))|\Z)"
            r"|\{.*?(?:\}(?=&|['\"]?(?:\n|\Z))|\Z))",
            re.IGNORECASE | re.DOTALL,
        ),
        rf"\1{MASK}",
    ),
    # password={…} of SQL Server, in which }} stands for a brace
    (
        re.compile(
            rf"({_CREDENTIAL_WORD}\s*=\s*)\{{(?:[^}}]|\}}\}})*(?:\}}[^\s;&]*|\Z)", re.IGNORECASE
        ),
        rf"\1{MASK}",
    ),
)
"""What is told before anything else: whatever stands between two brackets is of one secret."""

_LISTED_HOST = re.compile(
    r"(?:(?P<user_info>[^@]*)@)?(?P<host>(?:\[[0-9A-Fa-f:.%]+\]|[\w.\-]+)(?::\d+)?)"
)
_OPTION = re.compile(r";\s*\w+=")
_USER_AND_PASSWORD = re.compile(r"[^:@/]+:[^@/]*")


def hosts_among(user_info: str) -> tuple[str, ...] | None:
    """The hosts of a list in what stands before its last ``@``; None where that cannot be told.

    Every host may have a user of its own, but a password may hold commas too.

    >>> hosts_among("u:p@h1:3306,u:p"), hosts_among("u:p,p"), hosts_among("h1:3306,u:p")
    (('h1:3306',), (), None)
    """
    *earlier, last = (part.strip() for part in user_info.split(","))
    if not earlier:
        return ()
    found = [_LISTED_HOST.fullmatch(part) for part in earlier]
    hosts = [(each["user_info"], each["host"]) for each in found if each]
    if len(hosts) < len(earlier):
        return None if "@" in user_info else ()
    users = {last, *(user for user, _ in hosts)}
    is_clear = len(users) == 1 or all(user and _USER_AND_PASSWORD.fullmatch(user) for user in users)
    return tuple(host for _, host in hosts) if is_clear else None


def _hosts_alone(found: re.Match[str]) -> str:
    if found[1].endswith("sqlserver://") and _OPTION.search(found[2]):
        return found[0]  # no user stands there, but an option that holds an @
    hosts = hosts_among(found[2])
    # what cannot be told leaves a mark that is the name of no host
    return found[1] + "".join(f"{host}," for host in ((MASK,) if hosts is None else hosts))


def _place_in_oracle(found: re.Match[str]) -> str:
    is_clear = "@" not in found[2] or "?" not in found[2] or found[2].endswith('"')
    return f"{found[1]}@" if is_clear else f"{found[1]}{MASK}"


_SAME_URL = r"(?!,\s*(?:\1|https?://))"

RECOGNISED_BY_ADDRESS: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    # user:password@ and user@ in any URL; the password itself may hold an @ or a slash, but where
    # the next URL of a list begins it is over; the https of jdbc:bigquery://https://… is no user
    (
        re.compile(
            r"(\w[\w+.\-:]*://)(?!https?://)([^\s/?#'\"<>]*"
            rf"|(?:{_SAME_URL}[^\s/?#@:'\"<>])*:(?:{_SAME_URL}[^\s?#'\"<>])*)@"
        ),
        _hosts_alone,
    ),
    # jdbc:oracle:thin:user/password@host, each of them quoted or not
    (
        re.compile(r"(jdbc:oracle:\w+:)((?:\"[^\"]*\"|[^\s\"/@]*)(?:/(?:\"[^\"]*\"|[^\s\"]*))?)@"),
        _place_in_oracle,
    ),
)

RECOGNISED_BY_NAME: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    # "password" : "…", password="…", password='…' (JSON and JAAS)
    (
        re.compile(
            rf"(\"?{_CREDENTIAL_WORD}\"?\s*[=:]\s*)(\"(?:[^\"\\]|\\.)*\"|'[^']*')", re.IGNORECASE
        ),
        rf"\1{MASK}",
    ),
    # password=…, ;password=…, &password=…, password: …
    (
        re.compile(rf"({_CREDENTIAL_WORD}\s*[=:]\s*)(?!\*\*\*)[^\s;&,'\"<>)}}\]]+", re.IGNORECASE),
        rf"\1{MASK}",
    ),
)

_AZURE_KEY = re.compile(r"\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=", re.IGNORECASE)
"""A connection string that is no URL; it names the place too, so it cannot simply be dropped."""


@lru_cache(maxsize=4096)
def scrub(text: str) -> str:
    """The text without the credentials of any kind that can be told from form or place.

    >>> scrub("jdbc:postgresql://sa:hunter2@db:5432/shop?user=sa&password=hunter2")
    'jdbc:postgresql://db:5432/shop?user=sa&password=***'
    """
    text = _without_forms(text)
    names_one = _NAMES_A_CREDENTIAL.search(text) is not None
    text = _replaced(text, RECOGNISED_BY_ITS_ENDS) if names_one else text
    text = _replaced(text, RECOGNISED_BY_ADDRESS) if "@" in text else text
    return _replaced(text, RECOGNISED_BY_NAME) if names_one else text


def scrub_value(value: str) -> str:
    """A config value without credentials; maps of names stay whole, whatever the names.

    A table called ``api_token`` in a topic-to-table map is no credential, but looks like one.

    >>> scrub_value("logins:api_token"), scrub_value("http://u:p@h/x?token=1")
    ('logins:api_token', 'http://h/x?token=***')
    """
    if "://" in value or value.startswith("jdbc:") or ("=" in value and _AZURE_KEY.search(value)):
        return scrub(value)
    return _without_forms(value)


def _without_forms(text: str) -> str:
    if len(text) < _SHORTEST_FORM:
        return text
    folded = text.lower()
    for word in _FORM_BEGINS:
        if word in folded:
            return _replaced(text, RECOGNISED_BY_FORM)
    return text


def _replaced(text: str, patterns: tuple[tuple[re.Pattern[str], Replacement], ...]) -> str:
    for pattern, replacement in patterns:
        text = pattern.sub(replacement, text)
    return text


@lru_cache(maxsize=4096)
def names_a_secret(key: str) -> bool:
    """Whether a config key's own name says that its value is a credential.

    >>> names_a_secret("connection.password"), names_a_secret("topics")
    (True, False)
    """
    return SECRET_KEY.search(key) is not None
