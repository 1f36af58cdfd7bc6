"""Takes credentials out of text that people will read: URLs, messages, stack traces."""

from __future__ import annotations

import re
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

RECOGNISED_BY_FORM: tuple[tuple[re.Pattern[str], str], ...] = (
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

RECOGNISED_BY_ADDRESS: tuple[tuple[re.Pattern[str], str], ...] = (
    # user:password@ and user@ in any URL; the password itself may hold an @ or a slash; the
    # https of jdbc:bigquery://https://… is no user
    (
        re.compile(
            r"(\w[\w+.\-:]*://)(?!https?://)(?:[^\s/?#'\"<>]*@|[^\s/?#@'\"<>]*:[^\s?#'\"<>]*@)"
        ),
        r"\1",
    ),
    # jdbc:oracle:thin:user/password@host
    (re.compile(r"(jdbc:oracle:\w+:)[^\s@'\"]+@"), r"\1@"),
)

RECOGNISED_BY_NAME: tuple[tuple[re.Pattern[str], str], ...] = (
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
    text = _replaced(text, RECOGNISED_BY_ADDRESS) if "@" in text else text
    return _replaced(text, RECOGNISED_BY_NAME) if _NAMES_A_CREDENTIAL.search(text) else text


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


def _replaced(text: str, patterns: tuple[tuple[re.Pattern[str], str], ...]) -> str:
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
