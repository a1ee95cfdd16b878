import { textOption } from "#cli/command.ts";
import { missingField, usageFormatError, inputError } from "#cli/errors.ts";
import { OutputClosed, type Output } from "#cli/output/output.ts";
import { shown, type Shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command } from "./kit/command.ts";
import type { CommandContext } from "./kit/context.ts";
import { readObject } from "./kit/input/data.ts";
import { parseDuration } from "./kit/input/duration.ts";
import { nameList } from "./kit/output/rows.ts";
import { tenantOption } from "./kit/workspaces/options.ts";
import { CursorFile } from "./watch/cursor-file.ts";
import { follow, type FollowedItem } from "./watch/follow.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { membersOf } from "#lib/json/value.ts";
import { runChild } from "./kit/run-child.ts";

/** A timer of the runtime has 31 bits. */
const longestWatchMs = 24 * 86_400_000;

/** `svc watch`: each change as a line or as a call of a command, at least once. */
export default command({
  path: "watch",
  summary: "Follow the changes of a workspace",
  description:
    "Writes each change as a line, or runs the --exec command for it, and continues after any " +
    "break without a loss. The cursor is saved after the line was written or the command has " +
    "exited with 0, so each event comes at least once; a repetition has the same id. The command " +
    "gets the event as JSON on stdin and in SVC_EVENT_ID, SVC_EVENT_TYPE, SVC_EVENT_SUBJECT, " +
    "SVC_EVENT_TIME, SVC_EVENT_VERSION, SVC_EVENT_WORKSPACE and SVC_EVENT_CURSOR. The exit code " +
    "is 0 when --count or --until is reached, and 1 when changes are no longer known. A platform " +
    "without a stream of changes has its lists of records compared every 5 s.",
  isServer: true,
  rows: [],
  arguments: [
    {
      name: "types",
      description: "Exact slugs of Object Types, separated by commas (default: every change)",
      optional: true,
    },
  ],
  options: {
    "tenant-id": tenantOption,
    where: textOption("json", "Only records that match this filter, by indexed properties"),
    kinds: textOption("names", "Kinds of changes, e.g. record,file,document,job,member"),
    full: { type: "boolean", description: "Add the record, in data.record" },
    cursor: textOption("cursor", "Where to begin: feedCursor of a list, or svccursor of an event"),
    "cursor-file": textOption("path", "File that keeps the cursor; --cursor is for its first use"),
    exec: textOption("command", "Run this shell command for each event, instead of its line"),
    until: textOption("when", "End after 15m, at a time, or after an event of a type (svc.…)"),
    count: {
      type: "number",
      minimum: 1,
      maximum: 1_000_000_000,
      description: "End after this many events",
    },
    "on-reset": {
      type: "string",
      values: ["reread", "stop"],
      default: "stop",
      description: "When changes are no longer known: read the records again, or exit with 1",
    },
  },
  calls: ["realtime.events", "resources.list", "objectTypes.list"],
  answerLine: "realtime.events",
  examples: [
    "svc watch planning-application --count 1 --until 2s --format ndjson",
    `svc watch business-request --where '{"status":"new"}' --until 2s --on-reset reread`,
    `svc watch --kinds document,job --until 2s --exec 'echo "$SVC_EVENT_TYPE"'`,
  ],
  trials: [
    { words: "--cursor lists~0 --count 1 --until 10s", at: ["other"], isAddition: false },
    { words: "--until 1s", at: ["stub"], isAddition: true },
  ],
  async run(input, context) {
    const { options } = input;
    const types = optionalNames("<types>", input.arguments.types);
    const kinds = optionalNames("--kinds", options.kinds);
    const until = untilOf(options.until);
    const rereads = options["on-reset"] === "reread";
    if (types === undefined && (rereads || options.where !== undefined)) {
      throw missingField("<types>", "--where and --on-reset reread need an Object Type");
    }
    const where = await readObject(context, options.where, "--where");
    const file = options["cursor-file"];
    const cursorFile = file === undefined ? undefined : new CursorFile(context.resolvePath(file));
    const cursor = (await cursorFile?.read()) ?? options.cursor;
    const client = await context.client({ workspace: options["tenant-id"] });
    const limit = new TimeLimit(until.ms ?? Infinity, context.signal);
    try {
      const { full } = options;
      const followed = { types, kinds, where, full, cursor, rereads, signal: limit.signal };
      const items = follow(context, client, followed);
      const { exec, count } = options;
      const end = (): void => limit.expire();
      const delivery = { exec, count, until: until.type, cursor, cursorFile, end };
      await deliverAll(context, within(limit, items), delivery);
    } finally {
      limit.close();
    }
    return exitCodes.done;
  },
});

interface Delivery {
  readonly exec: string | undefined;
  readonly count: number | undefined;
  /** The type of the last event. */
  readonly until: string | undefined;
  readonly cursor: string | undefined;
  readonly cursorFile: CursorFile | undefined;
  /** Ends the request, whose stream may be in the middle of a read. */
  end(): void;
}

/** Resolves after the last event, with its cursor saved. */
async function deliverAll(
  context: CommandContext,
  items: AsyncIterable<FollowedItem>,
  { exec, count = Infinity, until, cursorFile, end, ...start }: Delivery,
): Promise<void> {
  const { output } = context;
  let { cursor } = start;
  let delivered = 0;
  try {
    for await (const item of items) {
      const { event } = item;
      if (event !== undefined) {
        if (output.isJson) output.openStream();
        // A command of --exec is for changes.
        if (item.isReset !== true) await deliver(context, event, exec);
        else if (exec === undefined) await printLine(output, event);
      }
      if (item.cursor !== undefined) {
        ({ cursor } = item);
        cursorFile?.save(item.cursor);
      }
      // A command may have effects, so its event is not repeated after a kill.
      if (exec !== undefined) await cursorFile?.saved();
      if (event === undefined || item.isRead === true || item.isReset === true) continue;
      delivered += 1;
      if (delivered < count && event.type !== until) continue;
      end();
      break;
    }
  } catch (error) {
    if (cursorFile === undefined && cursor !== start.cursor && !(error instanceof OutputClosed)) {
      await output.note(shown`To continue: --cursor ${shellWord(cursor ?? "")}`);
    }
    throw error;
  } finally {
    await cursorFile?.saved();
  }
}

/** The items until the time runs out. A command that runs then still ends. */
async function* within<Item>(
  limit: TimeLimit,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item, void, undefined> {
  try {
    yield* items;
  } catch (error) {
    if (!limit.expired) throw error;
  }
}

function optionalNames(flag: string, text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : nameList(flag, text);
}

/** The end of a watch: after a time, or after an event of a type. */
function untilOf(text: string | undefined): { readonly ms?: number; readonly type?: string } {
  if (text === undefined) return {};
  if (/^svc\.[a-z.-]+$/.test(text)) return { type: text };
  const ms = parseDuration(text) ?? new Date(text).getTime() - Date.now();
  if (ms <= longestWatchMs) return { ms: Math.max(0, ms) };
  const valid = "15m, 24d at most, 2026-11-27T17:00:00Z, svc.resource.left";
  throw usageFormatError(`--until "${text}"`, valid);
}

/** Prints an event as a line, or gives it to the command of `--exec`; resolves when it is done. */
async function deliver(
  context: CommandContext,
  event: CloudEvent,
  exec: string | undefined,
): Promise<void> {
  const { environment, output, signal } = context;
  if (exec === undefined) return printLine(output, event);
  const shell = environment.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c"] : ["sh", "-c"];
  const code = await runChild(context, [...shell, exec], {
    currentDirectory: environment.currentDirectory,
    variables: { ...environment.variables, ...eventVariables(event) },
    stdin: `${JSON.stringify(event)}\n`,
  });
  signal.throwIfAborted();
  if (code === 0) return;
  const details = `the command of --exec ended with exit code ${code} for the event ${event.id}`;
  throw inputError(details, "The event comes again with the next call that continues");
}

async function printLine(output: Output, event: CloudEvent): Promise<void> {
  if (output.settings.format === "text" && !output.isProjected) {
    return output.page(lineOf(output, event));
  }
  await output.rows([event]);
}

function lineOf(output: Output, { id, time, type, subject, version, data }: CloudEvent): Shown {
  const changed = membersOf(data)?.get("changed");
  const words = [
    time ?? "-",
    type.replace(/^svc\./, ""),
    subject ?? "-",
    ...(version === undefined ? [] : [`v${version}`]),
    ...(Array.isArray(changed) ? [changed.join(",")] : []),
  ];
  return shown`${words.join("  ")}  ${output.tone("dim", id)}`;
}

/** The environment of the command; a value of the platform never becomes a word of the shell. */
function eventVariables(event: CloudEvent): Record<string, string> {
  const { id, type, subject, time, version, workspaceid, svccursor } = event;
  const values = {
    SVC_EVENT_ID: id,
    SVC_EVENT_TYPE: type,
    SVC_EVENT_SUBJECT: subject,
    SVC_EVENT_TIME: time,
    SVC_EVENT_VERSION: version,
    SVC_EVENT_WORKSPACE: workspaceid,
    SVC_EVENT_CURSOR: svccursor,
  };
  // The environment of a process has no NUL.
  const texts = Object.entries(values).map(([name, value = ""]) => [
    name,
    String(value).replaceAll("\0", ""),
  ]);
  return Object.fromEntries(texts);
}
