import { byHelp } from "#commands/groups.ts";
import type { RouteId } from "#commands/kit/answer.ts";
import type { Command, Trial, TrialPlace } from "#commands/kit/command.ts";
import { everyCommand } from "#commands/load.ts";
import { routes, type Domain } from "#contract/index.ts";
import { given } from "#lib/given.ts";
import type { Dialect } from "#test/support/other-deployment/dialects.ts";
import { servedRoutes } from "#test/support/other-deployment/deployment.ts";

/** A call that a command's own file has for tests; `{name}` stands for what the place has. */
export interface TrialCall extends Pick<Trial, "stdin" | "isTyped"> {
  readonly words: string;
  readonly after: readonly string[];
  /** A part of the interface that a deployment may lack: then exit code 1 says so. */
  readonly needs?: Dialect["without"][number];
  /** It needs a route that is an addition, which other deployments do not have. */
  readonly isAddition: boolean;
}

/** Every command, in the order of the help. */
export const commands: readonly Command[] = (await everyCommand()).toSorted((one, other) =>
  byHelp(one.path, other.path),
);

const families: Readonly<Partial<Record<RouteId, Dialect["without"][number]>>> = {
  "documents.content": "content",
  "documents.delete": "deletion",
  "storage.doctor": "doctor",
  "workflows.readiness": "readiness",
};

/** A route without the names of its parameters. */
const shapeOf = (route: string): string => route.replaceAll(/\{\w+\}/g, "{}");
const served = new Set(servedRoutes.map(shapeOf));

function isServed(call: string): boolean {
  const [domain = "", name = ""] = call.split(".");
  const members: Readonly<Record<string, { readonly method: string; readonly path: string }>> =
    routes[domain as Domain] ?? {};
  const route = members[name];
  // The command `publicapi` may call any route.
  return route === undefined || served.has(shapeOf(`${route.method} ${route.path}`));
}

/** Whether a command's answer comes from additions alone. */
function addsRoutes({ answer, calls = [] }: Command): boolean {
  const answering = typeof answer === "function" || answer === undefined ? calls : [answer].flat();
  return answering.length > 0 && !answering.some(isServed);
}

/** The part that a command cannot do without; `verify calls` reports it instead. */
function partOf({ path, calls = [] }: Command): TrialCall["needs"] {
  if (path === "verify calls") return undefined;
  return Object.entries(families).find(([route]) => calls.some((call) => call === route))?.[1];
}

function callsOf(command: Command, place: TrialPlace): TrialCall[] {
  const usual: readonly TrialPlace[] =
    command.calls === undefined ? ["local"] : ["embedded", "other", "stub"];
  return (command.trials ?? [""])
    .map((trial) => (typeof trial === "string" ? { words: trial } : trial))
    .filter(({ at = usual }: Trial) => at.includes(place))
    .map(({ words, after = [], stdin, isTyped, isAddition }: Trial) => ({
      words: `${command.path} ${words}`.trim(),
      after,
      ...given({ stdin, isTyped, needs: partOf(command) }),
      isAddition: isAddition ?? addsRoutes(command),
    }));
}

/** The old name of a group. */
const oldName = { words: "vertical list", after: [], isAddition: false };

/** The calls of all commands at a place, in the order of the help. */
export function callsAt(place: TrialPlace): readonly TrialCall[] {
  const all = commands.flatMap((command) => callsOf(command, place));
  return place === "local" ? all : [...all, oldName];
}

/** Fills `{name}` in each word. */
export function filledWords(words: string, names: Readonly<Record<string, string>>): string[] {
  return words
    .split(" ")
    .map((word) => word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole));
}
