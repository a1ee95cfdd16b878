import { redact, redactedMark as mark } from "#lib/text/redact.ts";
import { secretFormats, type SecretFormat } from "#contract/secret-formats.ts";

/** Hyphens, also those that an editor puts in their place. */
const hyphen = "[-\u2010-\u2015\u2212]";

/** Matches every secret that svc makes, in each form that svc prints or accepts. */
const ownSecrets: readonly RegExp[] = Object.values(secretFormats).flatMap(formsOf);

function formsOf({ prefix, alphabet, groups, shownInGroupsOf }: SecretFormat): RegExp[] {
  const letter = `[${RegExp.escape(alphabet)}]`;
  const grouped = groups.map((length) => `${letter}{${length}}`);
  const length = groups.reduce((sum, each) => sum + each, 0);
  const forms = [grouped.join(hyphen)];
  // A code that has no hyphens differs from a word only by its digits.
  if (groups.length > 2) forms.push(`(?=[a-z]*\\d)${letter}{${length}}`);
  if (shownInGroupsOf !== undefined) {
    const count = length / shownInGroupsOf;
    forms.push(Array.from({ length: count }, () => `${letter}{${shownInGroupsOf}}`).join("\\s"));
  }
  const edge = /[-_]/.test(alphabet) ? "[\\w-]" : "[a-z0-9]";
  return forms.map(
    (form) => new RegExp(`(?<!${edge})${RegExp.escape(prefix)}${form}(?!${edge})`, "gi"),
  );
}

interface Rule {
  readonly pattern: RegExp;
  readonly replacement: string | ((found: string) => string);
}

/** Names whose values are secret, as they end; a short one must not be the end of a word. */
const secretName =
  "(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credentials?|key|cookie|authorization|" +
  "signature|session[._-]?id|connection[._ -]?string|code[._-]?verifier|jwt|" +
  String.raw`(?<![a-z0-9])(?:pass|auth|sig|sas|otp|pin|dsn|pat|nonce))s?[\w.-]{0,40}`;

/** A quoted text, also with escaped quotes in JSON inside JSON; else the rest of the line. */
const quoted =
  String.raw`"(?:[^"\\]|\\[^]){0,4000}"|'[^']{0,4000}'|` +
  String.raw`(?<escape>\\+)"[^]{0,4000}?(?<!\\)\k<escape>"|\\*["'{[][^\n]{0,4000}`;

const namesSecret = new RegExp(secretName, "i");

/** The rules run in this order: a later one sees the result of the earlier ones. */
const rules: readonly Rule[] = [
  // A key block that was cut off has no end line.
  {
    pattern: /-----BEGIN [A-Z0-9 ]{0,60}-----[^]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g,
    replacement: mark,
  },
  {
    pattern:
      /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]{0,30}(?:key|token|auth))(["'\\]{0,4}\s{0,4}[:=]).*/gi,
    replacement: `$1$2 ${mark}`,
  },
  {
    pattern:
      /\b(bearer|basic|dpop|digest|negotiate|apikey|sharedkey|token)\s{1,4}[\w\-.~+/:=]{6,}/gi,
    replacement: `$1 ${mark}`,
  },
  // JWT, JWE and the base64 of any JSON object.
  { pattern: /\bey[IJK][\w-]{6,}={0,2}(?:\.[\w-]*={0,2}){0,4}/g, replacement: mark },
  {
    pattern:
      /\b(?:svc_|sk[-_]|pk_|rk_|gh[oprsu]_|github_pat_|glpat-|xox[a-z]-|xapp-|npm_|pypi-|hf_|dop_v1_|shp[a-z]{2}_|whsec_|SG\.|AIza|ya29\.|AKIA|ASIA)[\w.~+/-]{6,}=*/gi,
    replacement: mark,
  },
  // A connection string is removed as a whole: its values may have blanks.
  {
    pattern: /(?:[a-z][a-z ]{0,30}=[^;\n"']{0,300};[^\S\n]?){1,20}[^;\n"']{0,300}/gi,
    replacement: (found) => (namesSecret.test(found) ? mark : found),
  },
  // User and password of an address, up to the last `@` of the word.
  { pattern: /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'<>]{0,2000}@/gi, replacement: `$1${mark}@` },
  { pattern: /[^\s:@/"'\\]{1,100}:[^\s@"']{1,200}@(?=[\w[])/g, replacement: `${mark}@` },
  {
    pattern: new RegExp(
      String.raw`(${secretName}["'\\\]]{0,6}\s{0,4}[:=]>?\s{0,4})(?:${quoted}|[^\s"'\\]\S{0,4000})`,
      "gi",
    ),
    replacement: `$1${mark}`,
  },
  {
    pattern: new RegExp(
      String.raw`(--?[\w-]{0,40}${secretName}\s{1,4})(?:${quoted}|[^\s"'-]\S{0,4000})`,
      "gi",
    ),
    replacement: `$1${mark}`,
  },
  // Sentences: "my password is …", "with the password …".
  {
    pattern:
      /\b((?:pass(?:word|wd|phrase|code)|pwd|pin|secret|token|key)\s{1,3}(?:is|was|of)\s{1,3}["'`]?)\S{1,400}/gi,
    replacement: `$1${mark}`,
  },
  {
    pattern:
      /\b((?:pass(?:word|wd|phrase|code)|pwd|pin|secret|token|key)\s{1,3}["'`]?)(?=\S{0,200}[\d!#$%&*^])\S{1,400}/gi,
    replacement: `$1${mark}`,
  },
  // "with password …", and "login … password …" as in a `.netrc`.
  {
    pattern:
      /\b(with\s{1,3}(?:(?:the|a|my|this)\s{1,3})?(?:pass(?:word|wd|phrase|code)|pwd|pin)\s{1,3}["'`]?)(?!(?:is|was|of)\b)[^\s]{3,400}/gi,
    replacement: `$1${mark}`,
  },
  {
    pattern:
      /\b(login\s[^\n]{1,200}?\s(?:password|passwd|pwd|pass)\s{1,3}["'`]?)(?!(?:is|was|of)\b)\S{1,400}/gi,
    replacement: `$1${mark}`,
  },
  {
    pattern: /((?:^|\s)(?:-u|--user)[\s=]{0,4})[^\s:]{1,200}:\S{1,400}/g,
    replacement: `$1${mark}`,
  },
  { pattern: /(\bsshpass\s{1,4}-p\s{0,4})\S{1,400}/g, replacement: `$1${mark}` },
  { pattern: /((?:^|\s)-p)(?=\S{0,200}[\d!#$%&*@^])\S{4,400}/g, replacement: `$1${mark}` },
  // E-mail addresses; a package with its version (`svc@1.2.3`) is none.
  {
    pattern:
      /[^\s@<>"'(),;:[\]]{1,64}@(?:(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}|localhost\b)/giu,
    replacement: mark,
  },
  // Last: a part of a longer credential may look like one of them.
  ...ownSecrets.map((pattern) => ({ pattern, replacement: mark })),
];

/** Replaces what has the form or the name of a secret. */
export function redactByRules(text: string): string {
  let clean = text;
  for (const { pattern, replacement } of rules) {
    clean =
      typeof replacement === "string"
        ? clean.replace(pattern, replacement)
        : clean.replace(pattern, replacement);
  }
  return redact(clean);
}
