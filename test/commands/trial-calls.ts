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
  /** It changes neither platform nor folder, so that calls may share what they read. */
  readonly isReading: boolean;
}

/** The parts of the commands: the calls of each are the tests of a file. */
export const areas = ["records", "documents", "members", "workspaces"] as const;
export type Area = (typeof areas)[number];

const nounsOfAreas: Readonly<Partial<Record<Area, readonly string[]>>> = {
  records: ["resources", "types", "publicapi", "verify"],
  documents: ["docs", "chat", "classifier", "content-understanding", "workflow"],
  members: ["user", "key", "account"],
};

/** The area of a call or a command, by its noun. */
export function areaOf(words: string): Area {
  const [noun = ""] = words.split(" ");
  const isIn = (area: Area): boolean => nounsOfAreas[area]?.includes(noun) === true;
  return areas.find(isIn) ?? "workspaces";
}

/** Every command, in the order of the help. */
export const commands: readonly Command[] = (await everyCommand()).toSorted((one, other) =>
  byHelp(one.path, other.path),
);

function routeOf(call: string) {
  const [domain = "", name = ""] = call.split(".");
  const members: Readonly<Record<string, { readonly method: string; readonly path: string }>> =
    routes[domain as Domain] ?? {};
  return members[name];
}

const families: Readonly<Partial<Record<RouteId, Dialect["without"][number]>>> = {
  "documents.content": "content",
  "documents.delete": "deletion",
  "geo.resolveLocation": "geo",
  "storage.doctor": "doctor",
  "workflows.readiness": "readiness",
};

/** A route without the names of its parameters. */
const shapeOf = (route: string): string => route.replaceAll(/\{\w+\}/g, "{}");
const served = new Set(servedRoutes.map(shapeOf));

function isServed(call: string): boolean {
  const route = routeOf(call);
  // The command `publicapi` may call any route.
  return route === undefined || served.has(shapeOf(`${route.method} ${route.path}`));
}

/** Whether a command's answer comes from additions alone. */
function addsRoutes({ answer, calls = [] }: Command): boolean {
  const answering = typeof answer === "function" || answer === undefined ? calls : [answer].flat();
  return answering.length > 0 && !answering.some(isServed);
}

/** The part that a command cannot do without; `verify` and `verify calls` report it instead. */
function partOf({ path, calls = [] }: Command): TrialCall["needs"] {
  if (path === "verify" || path === "verify calls") return undefined;
  return Object.entries(families).find(([route]) => calls.some((call) => call === route))?.[1];
}

/** Whether all routes of a command read. */
function reads({ calls = [] }: Command): boolean {
  return calls.every((call) => routeOf(call)?.method === "GET");
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
      // A second file of the same name would be refused.
      isReading: after.length === 0 && reads(command) && !words.includes("--output"),
    }));
}

/** The old name of a group. */
const oldName = { words: "vertical list", after: [], isAddition: false, isReading: true };

/** The calls of all commands at a place, or of those of an area, in the order of the help. */
export function callsAt(place: TrialPlace, area?: Area): readonly TrialCall[] {
  const commandCalls = commands.flatMap((command) => callsOf(command, place));
  const all = place === "local" ? commandCalls : [...commandCalls, oldName];
  return area === undefined ? all : all.filter(({ words }) => areaOf(words) === area);
}

/** Whether a call, or one before it, names the tree that its place has. */
export function namesTree({ words, after }: Pick<TrialCall, "words" | "after">): boolean {
  return [words, ...after].some((each) => /\{record|\{trees\}|street-tree|\{folder\}/.test(each));
}

/** Commands that wait for a job, for something to happen, or for their time limit. */
const waiting = /^app provision |--(?:wait|timeout|until)\b/;

/** Runs each form of a call in turn; side by side if they mostly wait. */
export async function inEachForm<Form>(
  { words }: Pick<TrialCall, "words">,
  forms: readonly Form[],
  run: (form: Form) => Promise<void>,
): Promise<void> {
  if (waiting.test(words)) {
    await Promise.all(forms.map(run));
    return;
  }
  for (const form of forms) await run(form);
}

/** Fills `{name}` in each word. */
export function filledWords(words: string, names: Readonly<Record<string, string>>): string[] {
  return words
    .split(" ")
    .map((word) => word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole));
}
