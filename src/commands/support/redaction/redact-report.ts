import { redactedMark } from "#lib/redact.ts";
import { plainText } from "#lib/terminal-text.ts";
import { readingsOf, withoutEscapes } from "./encoded-text.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { redactByRules } from "./report-rules.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
// Base64 that a mail program or PEM has broken into lines is one run.
const run =
  /[A-Za-z0-9+/_-]{40,}(?:\r?\n[A-Za-z0-9+/_-]+={0,2}(?=\s|$))*={0,2}|[A-Za-z0-9+/_-]{8,}={0,2}/g;
const longestName = 20;
const mostDepth = 4;
const mostRounds = 6;

/** Whether letters, digits and case are mixed as in a random key and not as in a name or path. */
function looksRandom(letters: string): boolean {
  return letters.split(/[/_-]/).some((part) => {
    if (part.length < longestName) return false;
    const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(part)).length;
    return kinds === 3 || (/\d/.test(part) && part.length >= 24) || part.length >= 60;
  });
}

function redactRun(letters: string, depth: number): string {
  if (uuid.test(letters)) return letters;
  if (looksRandom(letters)) return redactedMark;
  if (depth === 0) return letters;
  const isSecret = readingsOf(letters).some((reading) => clean(reading, depth - 1) !== reading);
  return isSecret ? redactedMark : letters;
}

function clean(text: string, depth: number): string {
  return redactByRules(text).replace(run, (letters) => redactRun(letters, depth));
}

/**
 * Redacts text that leaves this machine: no known secret, credential, key or e-mail address stays,
 * however it is encoded. It removes more than `redact` does: a report may lose a harmless word.
 */
export class ReportRedactor {
  readonly #known: KnownSecrets;
  readonly #homeDirectory: string;

  constructor(options: { readonly secrets: readonly string[]; readonly homeDirectory: string }) {
    this.#known = new KnownSecrets(options.secrets);
    this.#homeDirectory = options.homeDirectory;
  }

  redact(text: string): string {
    let result = plainText(text).replaceAll("\ufffd", "");
    if (this.#homeDirectory.length > 1) result = result.replaceAll(this.#homeDirectory, "~");
    for (let round = 0; round < mostRounds; round += 1) {
      result = this.#once(result);
      const decoded = plainText(withoutEscapes(result));
      if (decoded === result) return result;
      const safe = this.#once(decoded);
      // The escapes hide nothing: the text stays as the user wrote it.
      if (safe === decoded) return result;
      result = safe;
    }
    return redactedMark;
  }

  #once(text: string): string {
    return clean(this.#known.redact(text), mostDepth);
  }
}
