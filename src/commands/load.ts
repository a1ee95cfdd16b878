import { ownMember } from "#lib/own-member.ts";
import { commandFiles } from "./command-files.ts";
import type { Command } from "./kit/command.ts";

/** Loads the command with this path, and no other one. */
export async function loadCommand(path: string): Promise<Command> {
  const load = ownMember(commandFiles, path);
  if (load === undefined) throw new Error(`svc ${path} is not a command`);
  return (await load()).default;
}

/** Every command, for the build and for tests. */
export async function everyCommand(): Promise<readonly Command[]> {
  return await Promise.all(Object.keys(commandFiles).map(loadCommand));
}

/** Words that ask about all commands instead of running one; the help of a command is its own. */
const questions: ReadonlySet<string> = new Set(["--describe", "--version", "-V"]);
const longestPath = 4;

/**
 * The path of the only command that a call can mean: the call begins with its words, and no other
 * command's path goes on after them. It runs, or shows its help, without the table of all commands.
 */
export function plainPath(argv: readonly string[]): string | undefined {
  if (argv.some((word) => questions.has(word))) return undefined;
  for (let length = longestPath; length > 0; length -= 1) {
    const path = argv.slice(0, length).join(" ");
    if (!Object.hasOwn(commandFiles, path)) continue;
    const paths = `\n${Object.keys(commandFiles).join("\n")}`;
    return paths.includes(`\n${path} `) ? undefined : path;
  }
  return undefined;
}
