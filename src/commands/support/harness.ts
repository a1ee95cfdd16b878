import { CatalogError, catalogError } from "#contract/errors.ts";
import { isJsonObject, membersOf, parsedJson } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import { utf8Text } from "#lib/text/utf8.ts";
import type { CommandContext } from "../kit/context.ts";
import { findFile } from "../kit/input/files.ts";

/** Limits of a harness summary (spec part 8). */
const maximumRawBytes = 64 * 1024;
const maximumBlockBytes = 32 * 1024;

interface ListRule {
  readonly items: number;
  /** Maximum number of characters per item. */
  readonly length: number;
  /** Members of an item that is an object; without it an item is a text. */
  readonly members?: Readonly<Record<string, "text" | "exit code">>;
  readonly isPath?: true;
}

const textRules: Readonly<Record<string, number>> = { request: 500, goal: 1_000, summary: 4_000 };

const listRules: Readonly<Record<string, ListRule>> = {
  steps: { items: 50, length: 500 },
  commands: {
    items: 50,
    length: maximumRawBytes,
    members: { command: "text", exitCode: "exit code", output: "text" },
  },
  errors: {
    items: 50,
    length: maximumRawBytes,
    members: { code: "text", message: "text", command: "text" },
  },
  attemptedFixes: { items: 20, length: 500 },
  filesTouched: { items: 100, length: 260, isPath: true },
};

/** The lists in the order in which they lose their oldest items. */
const droppedInOrder = ["steps", "commands", "errors", "filesTouched", "attemptedFixes"];

type Item = string | Readonly<Record<string, string | number>>;

/** A harness summary whose shape is checked. */
export type HarnessSummary = Readonly<Record<string, string | readonly Item[]>>;

/** The redacted summary of a report. */
export type HarnessBlock = Record<string, string | true | readonly Item[]>;

function characters(text: string): number {
  return Array.from(text).length;
}

function isExitCode(value: unknown): value is number {
  return typeof value === "number" && (value | 0) === value;
}

/** Returns whether a path leads away from the folder that the harness works in, on any system. */
function isAbsolutePath(path: string): boolean {
  return /^(?:[/\\~]|[a-z]:|[a-z][a-z0-9+.-]*:\/\/)/i.test(path.trim());
}

function fitsItem(item: unknown, rule: ListRule): boolean {
  if (typeof item === "string") {
    return characters(item) <= rule.length && !(rule.isPath === true && isAbsolutePath(item));
  }
  const { members } = rule;
  if (members === undefined || !isJsonObject(item)) return false;
  return Object.entries(item).every(([name, value]) => {
    if (!Object.hasOwn(members, name)) return false;
    return members[name] === "text" ? typeof value === "string" : isExitCode(value);
  });
}

/** The fields that are wrong, without any name or value of the caller's. */
function wrongFields(members: ReadonlyMap<string, unknown>): string[] {
  const wrong = new Set<string>();
  for (const [name, value] of members) {
    const list = ownMember(listRules, name);
    const limit = ownMember(textRules, name);
    if (list !== undefined) {
      if (!Array.isArray(value) || value.length > list.items) wrong.add(name);
      else {
        value.forEach((item, index) => {
          if (!fitsItem(item, list)) wrong.add(`${name}/${index}`);
        });
      }
    } else if (limit !== undefined) {
      if (typeof value !== "string" || characters(value) > limit) wrong.add(name);
    } else {
      // Its name may be a secret.
      wrong.add("an unknown field");
    }
  }
  return [...wrong];
}

function invalid(fields: readonly string[]): CatalogError {
  const shown = fields.slice(0, 20).join(", ");
  const known = [...Object.keys(textRules), ...Object.keys(listRules)].join(", ");
  return catalogError("context_invalid", { fields: shown }, { hint: `Known fields: ${known}` });
}

/** The summary in the bytes of a context. Throws `context_invalid`. */
export function parseHarness(bytes: Uint8Array): HarnessSummary {
  const text = utf8Text(bytes);
  const members = text === undefined ? undefined : membersOf(parsedJson(text));
  if (members === undefined) throw invalid(["expected one JSON object"]);
  const wrong = wrongFields(members);
  if (wrong.length > 0) throw invalid(wrong);
  const known = [...Object.keys(textRules), ...Object.keys(listRules)];
  const summary: Record<string, string | readonly Item[]> = {};
  for (const name of known) {
    const value = members.get(name);
    if (typeof value === "string") summary[name] = value;
    else if (Array.isArray(value)) summary[name] = value.filter(isItem);
  }
  return summary;
}

function isItem(value: unknown): value is Item {
  return typeof value === "string" || isJsonObject(value);
}

/** Reads a context file, or stdin for `-`. Throws `context_unreadable` or `context_too_large`. */
export async function readContext(context: CommandContext, path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksUntil(await contextStream(context, path), context.signal)) {
    size += chunk.byteLength;
    if (size > maximumRawBytes) throw catalogError("context_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function contextStream(
  context: CommandContext,
  path: string,
): Promise<ReadableStream<Uint8Array>> {
  const { stdin } = context.environment;
  if (path === "-" && !stdin.isTerminal) return stdin.stream();
  if (path === "-") throw catalogError("context_unreadable", { details: "stdin is a terminal" });
  try {
    const { content, stream } = await findFile(context, path);
    const isLarge = content.size > maximumRawBytes && Number.isFinite(content.size);
    if (isLarge) throw catalogError("context_too_large");
    return stream();
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code === "context_too_large") throw error;
    const details = error.message.replace(/^Invalid input: /, "");
    throw catalogError("context_unreadable", { details });
  }
}

/** The summary without secrets, in at most 32 KiB: the oldest items are dropped. */
export function harnessBlock(
  summary: HarnessSummary,
  redact: (text: string) => string,
): HarnessBlock {
  const redactItem = (item: Item): Item => {
    if (typeof item === "string") return redact(item);
    const entries = Object.entries(item).map(
      ([name, value]) => [name, typeof value === "string" ? redact(value) : value] as const,
    );
    return Object.fromEntries(entries);
  };
  const block: HarnessBlock = {};
  for (const [name, value] of Object.entries(summary)) {
    block[name] = typeof value === "string" ? redact(value) : value.map(redactItem);
  }
  for (const name of droppedInOrder) {
    let list = block[name];
    while (Array.isArray(list) && list.length > 0 && isTooLarge(block)) {
      block["truncated"] = true;
      list = list.slice(1);
      block[name] = list;
    }
  }
  return block;
}

function isTooLarge(block: HarnessBlock): boolean {
  return Buffer.byteLength(JSON.stringify(block)) > maximumBlockBytes;
}
