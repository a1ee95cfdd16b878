import { inFile, type SpecifiedRow } from "./rows.ts";

/** The errors of part 7.1: the message is the specification's, the tests raise the error. */

const every = (...names: readonly string[]) => inFile("commands/every-command", ...names);
const configuration = (...names: readonly string[]) =>
  inFile("commands/configuration-errors", ...names);
const refusals = inFile(
  "commands/specified-commands",
  "errors before any network call > svc %s: %s, %s",
);
const run = (...names: readonly string[]) => inFile("cli/run", ...names);

function errorRow(name: string, figures: string, tests: readonly string[]): SpecifiedRow {
  return { part: "7.1", name, figures, tests };
}

export const errorCodes: readonly SpecifiedRow[] = [
  errorRow("E001", "Not in a project", configuration("E001, not in a project > %s")),
  errorRow(
    "E002",
    "{var} environment variable not set",
    configuration(
      "E002, a variable that is not set > %s without any platform address, where no platform listens",
    ),
  ),
  errorRow(
    "E003",
    "Configuration file not found: {file}",
    configuration(
      "E003, a configuration file that does not exist > %s with an .env.local that links to nothing",
    ),
  ),
  errorRow(
    "E004",
    "Object Types file not found or invalid",
    configuration(
      "E004, an Object Types file that is missing or invalid > types validate where it %s",
    ),
  ),
  errorRow(
    "E005",
    "Invalid project structure",
    configuration("E005, an invalid project structure > %s where .env.local is a folder"),
  ),
  errorRow(
    "E006",
    "Failed to load configuration: {details}",
    configuration("E006, a configuration that can't be loaded > whoami with damaged profiles"),
  ),
  errorRow(
    "E101",
    "Not logged in",
    every("not signed in > svc %s as JSON", "not signed in > svc %s as text"),
  ),
  errorRow("E102", "Access token expired", every("the token has expired > svc %s")),
  errorRow(
    "E103",
    "Invalid credentials",
    inFile("commands/deploy", "failures > a refused token is E103, and is not shown"),
  ),
  errorRow(
    "E104",
    "Authentication failed: {details}",
    inFile(
      "auth/sign-in",
      "sign-in with a browser > reports the error of the user or the provider",
    ),
  ),
  errorRow("E201", "Platform API unreachable: {url}", every("the platform is down > svc %s")),
  errorRow("E202", "{resource} not found", every("another user's workspace > svc %s")),
  errorRow(
    "E203",
    "Platform API error: {details}",
    inFile("commands/publicapi", "a response that breaks off is E203 (%s)"),
  ),
  errorRow(
    "E204",
    "Permission denied",
    inFile(
      "commands/resources",
      "resources create > an unknown type and a missing permission are refused",
    ),
  ),
  errorRow(
    "E205",
    "Resource conflict: {details}",
    inFile("commands/workspace", "workspace create > a slug that is taken is a conflict"),
  ),
  errorRow(
    "E301",
    "Invalid schema: {details}",
    inFile("commands/types", "types validate > reports every fault with its pointer"),
  ),
  errorRow(
    "E302",
    "Validation failed: {details}",
    inFile(
      "commands/resources",
      "resources create > the platform refuses data that violate the type, with pointers",
    ),
  ),
  errorRow("E303", "Required field missing: {field}", every("no workspace is selected > svc %s")),
  errorRow("E304", "Invalid format: {details}", refusals),
  errorRow("E305", "Invalid input: {details}", refusals),
  errorRow("TYPES_DEFINE_UNSUPPORTED", "", refusals),
  errorRow("RESOURCE_INDEX_APPLY_UNSUPPORTED", "", refusals),
];

export const errorRules: readonly SpecifiedRow[] = [
  errorRow("error as JSON", "{ error: { code, message, suggestion, exitCode } }", [
    ...run("failure > JSON: the documented error object, with status and request"),
    ...inFile("commands/replay", "every command's error fits its schema > svc %s"),
  ]),
  errorRow("suggestion", "the catalog's only", inFile("commands/errors", "lists the catalog")),
  errorRow("help hint", "on stderr at every nonzero exit as text", [
    ...run("success > an exit code is the process's own, and other than 0 it has a help hint"),
    ...every("wrong usage > svc %s --bogus"),
    ...inFile("commands/errors", "an unknown code is a catalog error, with the help hint"),
    ...inFile(
      "commands/support/draft",
      "failed > text names the error, the chat and the help hint",
      "signed_out > text prints the report, the chat and the help hint",
    ),
  ]),
];
