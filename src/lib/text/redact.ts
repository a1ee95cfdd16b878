/** Removes secrets from text before it is shown, logged or kept in an error. */

export const redactedMark = "[redacted]";

const patterns: readonly RegExp[] = [
  /\b(bearer|basic|dpop)\s+[A-Za-z0-9\-._~+/]{8,}=*/gi,
  // Three base64url parts, the first one a JSON object: a JWT.
  /()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
  // The token of a service account's key, and the secret of an app.
  /()\bsvcs?_[A-Za-z0-9_-]{20,}/g,
  // The secret of a webhook, and the private key of backups.
  /()\bwhsec_[A-Za-z0-9+/]{20,}=*/g,
  /()\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/gi,
  /\b((?:access|refresh|id)_token|client_secret|code_verifier|password)(?:"\s*:\s*"|=)[^"&\s,}]+/gi,
];

// The user and password of an address; a password may contain `/`, `:` and `@`.
const userInfo = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'<>@]{0,1000}:[^\s"'<>]{0,1000}@/gi;

/** Shorter secrets would match parts of ordinary words. */
const shortestSecret = 8;

/** Replaces secrets, text that looks like a credential or JWT, and values of secret parameters. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= shortestSecret) clean = clean.replaceAll(secret, redactedMark);
  }
  for (const pattern of patterns) {
    clean = clean.replace(pattern, (_whole, name: string) =>
      name === "" ? redactedMark : `${name} ${redactedMark}`,
    );
  }
  return clean.replace(userInfo, `$1${redactedMark}@`);
}
