import { inFile, type SpecifiedRow } from "./rows.ts";

/** The options, states and rules of part 7.3. */

const options = (...names: readonly string[]) => inFile("commands/support/options", ...names);
const draft = (...names: readonly string[]) => inFile("commands/support/draft", ...names);
const harness = (...names: readonly string[]) => inFile("commands/support/harness", ...names);
const context = "--tool, --tool-version, --command, --exit-code, --error-code";

function supportRow(name: string, figures: string, tests: readonly string[]): SpecifiedRow {
  return { part: "7.3", name, figures, tests };
}

export const supportOptions: readonly SpecifiedRow[] = [
  supportRow(
    "--format text|json",
    "JSON previews until --yes --approved-digest",
    options(
      "--format text|json > JSON previews until --yes --approved-digest",
      "--format text|json > text without a terminal shows the report and names the flag",
      "--format text|json > text on a terminal asks, and sends after yes only",
    ),
  ),
  supportRow(
    "--source",
    "eai-cli or harness; harness with --tool",
    options("--source defaults to harness when --tool is given, else the client source"),
  ),
  supportRow(
    context,
    "context of the report; the exit code has 32 bits with a sign",
    options(
      `${context} > are the report's context`,
      `${context} > --exit-code %s is a 32-bit number`,
      `${context} > --exit-code %s is none`,
    ),
  ),
  supportRow(
    "--description",
    "10 to 6000 characters after redaction",
    options(
      "--description has 10 to 6000 characters after redaction > accepts %#",
      "--description has 10 to 6000 characters after redaction > refuses %#",
      "--description has 10 to 6000 characters after redaction > counts what is left of a secret",
    ),
  ),
  supportRow(
    "--decline",
    "local; not with --yes or --create-context-file",
    options("--decline > is local only, and names the chat", "--decline > cannot combine with %s"),
  ),
  supportRow(
    "--create-context-file",
    "an empty private file, contextFile",
    options("--create-context-file > allocates an empty private file in the client's own folder"),
  ),
  supportRow(
    "--context-file",
    "JSON of the harness, or - for stdin; needs the harness source",
    harness(
      "--context-file > reads a file, and stdin for -",
      "--context-file > needs the harness source",
      "--context-file > that is allocated and filled is read",
    ),
  ),
  supportRow(
    "--approved-digest",
    "required with --yes; consent_stale",
    options(
      "--approved-digest > is required with --yes",
      "--approved-digest > a mismatch answers consent_stale, and nothing is sent",
    ),
  ),
  supportRow(
    "--organisation-location",
    "apac, emea, americas; organisationLocation",
    options(
      "--organisation-location > is sent when the session has no active workspace",
      "--organisation-location > is left out when the session has one",
    ),
  ),
  supportRow(
    "--no-last-error, --yes, --no-open",
    "as named",
    options(
      "--no-last-error and the last error > an error is in the next report until it is left out",
      "--approved-digest > is required with --yes",
      "--no-open > opens the draft's address in the browser, except with the option",
    ),
  ),
];

export const supportStates: readonly SpecifiedRow[] = [
  supportRow(
    "consent_required",
    "previewText, bundleDigest",
    options("--format text|json > JSON previews until --yes --approved-digest"),
  ),
  supportRow(
    "consent_stale",
    "nothing is sent",
    options("--approved-digest > a mismatch answers consent_stale, and nothing is sent"),
  ),
  supportRow("declined", "chat link", options("--decline > is local only, and names the chat")),
  supportRow(
    "signed_out",
    "previewText, bundleDigest, chat link",
    draft(
      "signed_out > adds previewText and bundleDigest",
      "signed_out > also when the website refuses the token",
    ),
  ),
  supportRow(
    "region_required",
    "a website 400 with that error",
    draft("region_required > is a website 400 with error region_required"),
  ),
  supportRow(
    "created",
    "url, expiresAt; draft ID and token in the fragment",
    draft(
      "created > the link carries only the draft ID and a one-time token in its fragment",
      "created > what is sent is what was shown",
    ),
  ),
  supportRow(
    "failed",
    "a safe message, exit 1",
    draft("failed > %s returns a safe message and exit 1, once"),
  ),
  supportRow(
    "context_invalid",
    "names fields only",
    harness("input errors > context_invalid names fields only: %s"),
  ),
  supportRow("context_unreadable", "", harness("input errors > context_unreadable: %s")),
  supportRow("context_too_large", "", harness("Context file raw size: 64 KiB > of %s")),
  supportRow(
    "redaction",
    "no secret in any encoding",
    harness(
      "a planted secret > in %s does not survive, in any encoding",
      "a planted secret > that the environment or a sign-in has does not survive",
    ),
  ),
  supportRow(
    "website address",
    "an HTTPS origin, HTTP on loopback; not from .env.local",
    draft(
      "the website address > %s is an origin",
      "the website address > %s is none",
      "the website address > a project's .env.local cannot change it, nor break the command",
    ),
  ),
];
