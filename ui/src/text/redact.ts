const RULES: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, "[removed]"],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+(?::[^\s/@]*)?@/gi, "$1[removed]@"],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, "$1 [removed]"],
  [/\bAKIA[0-9A-Z]{16}\b/g, "[removed]"],
  [
    /\b([\w.-]*(?:passwo?r?d|passphrase|secret|token|api[_-]?key|credentials?|jaas\.config))("?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;&"']+)/gi,
    "$1$2[removed]",
  ],
];

/** A text without what looks like a secret: producers other than ours send what they like. */
export function redact(text: string): string {
  return RULES.reduce((said, [pattern, instead]) => said.replace(pattern, instead), text);
}
