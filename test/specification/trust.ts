import { inFile, type SpecifiedRow } from "./rows.ts";

/** Rules of trust for folders, projects and answers, with the tests that hold them. */

function trustRow(name: string, figures: string, tests: readonly string[]): SpecifiedRow {
  return { part: "trust", name, figures, tests };
}

const commands = (...names: readonly string[]) => inFile("e2e/commands", ...names);

export const trustRules: readonly SpecifiedRow[] = [
  trustRow("a folder", "runs no code: no preload, no .env, no bunfig", [
    ...inFile(
      "e2e/executable",
      "an executable > runs no code and takes no variable from the folder that it is started in",
    ),
    ...commands("a hostile working directory > runs none of its code and gets no token"),
  ]),
  trustRow(
    "a project's .env.local",
    "three names, and no other",
    inFile(
      "local/configuration/settings",
      "the project > gives three keys of .env.local and no other",
    ),
  ),
  trustRow("an address of a project", "only with a token that belongs to it", [
    ...inFile("commands/whoami", "a token and an address from a project > are not used together"),
    ...inFile(
      "auth/session",
      "SVC_TOKEN > is not handed to an address that only a project names, unless it was issued there",
    ),
  ]),
  trustRow(
    "the first use of such an address",
    "is announced, once",
    inFile(
      "commands/whoami",
      "an address that only a project names > is announced at its first use, by any project, once",
      "an address that only a project names > is announced again after the list was damaged: %s",
    ),
  ),
  trustRow("a project's own code", "types and dev only, without a credential", [
    ...inFile(
      "local/object-types/file",
      "a module of a hostile project > sees no variable with a credential",
      "a module of a hostile project > inherits no open file",
    ),
    ...inFile(
      "commands/project",
      "dev > gives the server its port and platform, and no secret that was not asked for",
    ),
  ]),
  trustRow("tokens", "in no output", [
    ...inFile("client/failures", "no secret in an error > after %s"),
    ...inFile("commands/publicapi", "the answer > a refused token is reported, but never printed"),
  ]),
  trustRow(
    "a redirect",
    "to another origin is refused, and nothing is sent there",
    inFile(
      "client/transport/transport",
      "one origin only > a %i is an error, and nothing goes elsewhere",
    ),
  ),
  trustRow(
    "stdout",
    "20 MB into a slow pipe, a closed reader, a full disk",
    commands(
      "pipes > 20 MB of JSON through a slow pipe arrive whole",
      "pipes > a closed reader of %s ends it quietly",
      "pipes > a full disk is a failure for %s, with a message and no stack",
      "pipes > an Object Types file may print: stdout still has one answer",
    ),
  ),
];
