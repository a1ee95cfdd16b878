import type { AnyCommand } from "#cli/command.ts";
import type { CommandContext } from "./context.ts";

type Load = () => Promise<AnyCommand<CommandContext>>;

/**
 * Commands that scripts call in loops: they load without the table of all commands, which takes
 * longer than their request.
 */
const leaves: Readonly<Record<string, Load>> = {
  "resources get": async () => (await import("./resources/get.ts")).resourcesGetCommand,
  "resources list": async () => (await import("./resources/list.ts")).resourcesListCommand,
  "resources create": async () => (await import("./resources/create.ts")).resourcesCreateCommand,
  "resources update": async () => (await import("./resources/update.ts")).resourcesUpdateCommand,
  "resources query": async () => (await import("./resources/query.ts")).resourcesQueryCommand,
  "resources search": async () => (await import("./resources/search.ts")).resourcesSearchCommand,
  "docs upload": async () => (await import("./docs/upload.ts")).docsUploadCommand,
  "docs job": async () => (await import("./docs/job.ts")).docsJobCommand,
  "docs get": async () => (await import("./docs/get.ts")).docsGetCommand,
};

/** Paths of commands that load alone. */
export const leafPaths: readonly string[] = Object.keys(leaves);

/** Words that ask about commands instead of running one. */
const questions: ReadonlySet<string> = new Set(["--help", "-h", "--describe", "--version", "-V"]);

/** The command of a call that begins with its words; undefined for any other call. */
export async function leafCommand(
  argv: readonly string[],
): Promise<AnyCommand<CommandContext> | undefined> {
  const path = argv.slice(0, 2).join(" ");
  if (!Object.hasOwn(leaves, path) || argv.some((word) => questions.has(word))) return undefined;
  return await leaves[path]?.();
}
