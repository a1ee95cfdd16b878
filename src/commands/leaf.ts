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
  "resources delete": async () => (await import("./resources/delete.ts")).resourcesDeleteCommand,
  "resources query": async () => (await import("./resources/query.ts")).resourcesQueryCommand,
  "resources search": async () => (await import("./resources/search.ts")).resourcesSearchCommand,
  "resources aggregate": async () =>
    (await import("./resources/aggregate.ts")).resourcesAggregateCommand,
  "docs upload": async () => (await import("./docs/upload.ts")).docsUploadCommand,
  "docs classify": async () => (await import("./docs/classify.ts")).docsClassifyCommand,
  "docs job": async () => (await import("./docs/job.ts")).docsJobCommand,
  "docs get": async () => (await import("./docs/get.ts")).docsGetCommand,
  "docs content": async () => (await import("./docs/content.ts")).docsContentCommand,
  "chat send": async () => (await import("./chat/send.ts")).chatSendCommand,
  "publicapi get": async () => await publicapi("get"),
  "publicapi post": async () => await publicapi("post"),
  "publicapi patch": async () => await publicapi("patch"),
  "publicapi put": async () => await publicapi("put"),
  "publicapi delete": async () => await publicapi("delete"),
};

async function publicapi(method: string): Promise<AnyCommand<CommandContext>> {
  const { publicapiCommands } = await import("./publicapi.ts");
  const found = publicapiCommands.find(({ path }) => path === `publicapi ${method}`);
  if (found === undefined) throw new Error(`svc publicapi ${method} is not in its list`);
  return found;
}

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
