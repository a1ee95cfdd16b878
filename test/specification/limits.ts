import { inFile, type SpecifiedRow } from "./rows.ts";

/** The limits of part 8, and the rules of part 4.7 that are about no single command. */

const defaults = inFile(
  "specification",
  "each command of part 4.7 > svc $name has its words, options and defaults",
);
const scan = (...names: readonly string[]) =>
  inFile("client/records/object-types-export", ...names);
const harness = (...names: readonly string[]) => inFile("commands/support/harness", ...names);
const options = (...names: readonly string[]) => inFile("commands/support/options", ...names);
const details = (...names: readonly string[]) => inFile("commands/specified-details", ...names);
const refusals = inFile(
  "commands/specified-commands",
  "errors before any network call > svc %s: %s, %s",
);

function limitRow(name: string, figures: string, tests: readonly string[]): SpecifiedRow {
  return { part: "8", name, figures, tests };
}

export const limits: readonly SpecifiedRow[] = [
  limitRow(
    "pages per scan of types pull",
    "1,000",
    scan(
      "an export fails on > the limits of the specification, where no others are given",
      "an export fails on > more pages than the limit",
    ),
  ),
  limitRow(
    "bytes in both scans of types pull",
    "64 MiB",
    scan(
      "an export fails on > the limits of the specification, where no others are given",
      "an export fails on > more bytes than the limit, counted over both scans",
      "an export fails on > bytes that only decompression shows",
    ),
  ),
  limitRow(
    "time of types pull",
    "120 s",
    scan(
      "an export fails on > the limits of the specification, where no others are given",
      "an export fails on > more time than the limit",
    ),
  ),
  limitRow(
    "--object-type of resources indexes-plan",
    "1 to 1,000, each at most 255 characters",
    inFile(
      "commands/resources/storage",
      "storage commands > indexes-plan keeps its limits before any network call",
    ),
  ),
  limitRow("wait of docs job", "1 to 1800 s", [
    ...inFile("commands/docs/job", "docs job > refuses the timeout %s"),
  ]),
  limitRow(
    "wait of content-understanding apply",
    "1 to 1800 s",
    details("content-understanding apply takes a timeout of 1 to 1800"),
  ),
  limitRow("page of resources list", "page 1, 20 items", [...defaults, ...refusals]),
  limitRow("limit of resources query", "20", defaults),
  limitRow("rows of resources aggregate", "1000", defaults),
  limitRow("limit of resources search", "10", defaults),
  limitRow("page of user list", "page 1, 25 items", defaults),
  limitRow("limit of app list", "50", defaults),
  limitRow(
    "description of support",
    "10 to 6000 characters",
    options(
      "--description has 10 to 6000 characters after redaction > accepts %#",
      "--description has 10 to 6000 characters after redaction > refuses %#",
    ),
  ),
  limitRow(
    "context file of support",
    "64 KiB",
    harness(
      "Context file raw size: 64 KiB > of %s",
      "Context file raw size: 64 KiB > an endless file ends there",
    ),
  ),
  limitRow(
    "redacted harness block",
    "32 KiB; steps, then commands, then errors; truncated",
    harness(
      "Redacted harness block: 32 KiB > a block that fits is not truncated",
      "Redacted harness block: 32 KiB > the oldest steps are dropped first",
      "Redacted harness block: 32 KiB > then commands, then errors",
    ),
  ),
  limitRow(
    "harness lists",
    "steps 50 x 500, commands 50, errors 50, attemptedFixes 20 x 500, filesTouched 100 x 260, request 500, goal 1000, summary 4000",
    harness("Harness lists > %s", "Harness lists > filesTouched has relative paths, not %s"),
  ),
  limitRow(
    "request of a draft",
    "10 s, sent once",
    inFile(
      "commands/support/draft",
      "failed > a draft request ends after 10 seconds, and is not repeated",
    ),
  ),
  limitRow(
    "context files on the disk",
    "24 h",
    options(
      "--create-context-file > files older than 24 hours are removed at the next run, and no newer or linked ones",
    ),
  ),
  limitRow(
    "age of the last error",
    "24 h",
    options("--no-last-error and the last error > of %d hours ago: %s"),
  ),
  limitRow(
    "domains of workspace create",
    "1",
    inFile("commands/workspace", "workspace create > refuses %s before any network call"),
  ),
];

function ruleRow(name: string, figures: string, tests: readonly string[]): SpecifiedRow {
  return { part: "4.7", name, figures, tests };
}

export const commandRules: readonly SpecifiedRow[] = [
  ruleRow("every command", "--profile --describe -V --simple --color --no-color", [
    ...inFile(
      "cli/run",
      "help, version and dashboard > the version",
      "help, version and dashboard > --describe is JSON Schema of the commands",
      "help, version and dashboard > colour only on a terminal, and never with NO_COLOR or --no-color",
    ),
    ...inFile("cli/output/table", "text tables > --simple gives whole, tab-separated lines"),
    ...inFile(
      "local/configuration/settings",
      "settings > choose the profile by flag or SVC_PROFILE, and refuse names that are paths",
    ),
  ]),
  ruleRow("data commands", "--format=text, --json is old", [
    ...inFile("commands/replay", "the embedded platform, in %s: > svc $words"),
    ...inFile(
      "commands/specified-commands",
      "names kept for compatibility > --json names its replacement once",
    ),
  ]),
  ruleRow(
    "rule 1: app provision",
    "what excludes and what needs another option",
    inFile("commands/app", "app provision > refuses %s before any network call"),
  ),
  ruleRow("rule 2: home region", "roots only", [
    ...inFile(
      "commands/workspace",
      "workspace create > refuses %s before any network call",
      "workspace create > creates a root in its region",
    ),
  ]),
  ruleRow(
    "rule 3: hard purge",
    "a parent and --force-hard-purge; a confirmed receipt",
    inFile(
      "commands/workspace-removal",
      "workspace delete > purges a child through its parent, with a receipt",
      "workspace delete > fails when the receipt does not confirm the purge",
      "workspace delete > purges a tree as the system administrator only",
      "workspace delete > refuses a parent that is the child under another name",
    ),
  ),
  ruleRow("rule 4: types pull", "two equal scans, one atomic output", [
    ...scan(
      "an export > reads all pages twice and gives the types in ID order",
      "an export fails on > %s",
    ),
    ...inFile(
      "commands/types",
      "types pull > fails on drift between the two scans, and keeps the file",
      "types pull > refuses the reserved name, links and folders, and changes no file",
    ),
  ]),
  ruleRow("rule 5: publicapi", "an exact workspace; statuses stay", [
    ...inFile(
      "commands/publicapi",
      "the workspace > --tenant-id changes no selection, and takes an exact UUID only",
      "the answer > a refusal of %s keeps its status",
    ),
  ]),
  ruleRow("rule 6: docs", "context before the file; a failed wait fails", [
    ...inFile(
      "commands/docs/upload",
      "docs upload > is refused before the file is looked at, and before any network call > %s > %s",
    ),
    ...inFile("commands/docs/job", "docs job > %s exits with 1"),
  ]),
];
