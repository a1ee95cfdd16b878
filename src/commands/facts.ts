import type { CommandFacts, CommandTable } from "#cli/command.ts";
import type { Domain } from "#contract/index.ts";
import { given } from "#lib/given.ts";
import { byHelp, groups } from "./groups.ts";
import type { Command } from "./kit/command.ts";
import { everyCommand } from "./load.ts";

/** All commands as plain data, in the order of the help. It loads every command. */
export async function commandFacts(): Promise<CommandTable> {
  const { routes } = await import("#contract/index.ts");
  const routeOf = (call: string): string => {
    const [domain = "", name = ""] = call.split(".");
    const members: Readonly<Record<string, { readonly method: string; readonly path: string }>> =
      routes[domain as Domain] ?? {};
    const route = members[name];
    return route === undefined ? call : `${route.method} ${route.path}`;
  };
  const factsOf = (command: Command): CommandFacts => {
    const {
      run: _run,
      answer: _answer,
      answerLine: _line,
      trials: _trials,
      calls,
      ...facts
    } = command;
    return { ...facts, ...given({ routes: calls?.map(routeOf) }) };
  };
  const commands = (await everyCommand()).toSorted((one, other) => byHelp(one.path, other.path));
  return {
    groups: groups.map(({ order: _order, ...group }) => group),
    commands: commands.map(factsOf),
  };
}
