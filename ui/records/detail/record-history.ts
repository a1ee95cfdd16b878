import type { HistoryItem, JsonObject } from "#client/index.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { pointerNames } from "#lib/json/pointer.ts";
import type { NameOf } from "../../shell/platform/names.ts";
import { clipText, textWidth } from "../../kit/text/text-layout.ts";
import { textLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { distanceWords, valueWords } from "../../kit/text/words.ts";

export interface Difference {
  readonly path: readonly string[];
  readonly kind: "added" | "removed" | "changed";
  /** `undefined` if there was no value, or if it is unknown. */
  readonly before: unknown;
  readonly after: unknown;
}

type Changes = HistoryItem["changes"];

/** The creation or deletion of a whole record: one difference per property. */
function wholes(kind: "added" | "removed", value: unknown): Difference[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, member]) => ({
    path: [name],
    kind,
    before: kind === "removed" ? member : undefined,
    after: kind === "added" ? member : undefined,
  }));
}

/**
 * The differences of a JSON Patch (RFC 6902). The old value is in the `test` before each `replace`
 * and `remove`, if the platform sends one.
 */
export function differencesOf(changes: Changes): Difference[] {
  const tested = new Map<string, unknown>();
  return changes.flatMap((operation): Difference[] => {
    const path = pointerNames(operation.path);
    const before = tested.get(operation.path);
    switch (operation.op) {
      case "test":
        tested.set(operation.path, operation.value);
        return [];
      case "add":
      case "copy":
        if (path.length === 0) return wholes("added", operation.value);
        return [{ path, kind: "added", before, after: operation.value }];
      case "replace":
        return [{ path, kind: "changed", before, after: operation.value }];
      case "remove":
        if (path.length === 0) return wholes("removed", before);
        return [{ path, kind: "removed", before, after: undefined }];
      case "move": {
        const from = "from" in operation ? operation["from"] : undefined;
        const left = typeof from === "string" ? pointerNames(from) : [];
        return [
          { path: left, kind: "removed", before: undefined, after: undefined },
          { path, kind: "added", before: undefined, after: undefined },
        ];
      }
      default:
        return [];
    }
  });
}

/** The properties that differ between two states of a record. */
export function differencesBetween(
  before: Readonly<JsonObject>,
  after: Readonly<JsonObject>,
): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): Difference[] => {
    const [old, now] = [ownMember(before, name), ownMember(after, name)];
    if (sameJson(old, now)) return [];
    const kind = old === undefined ? "added" : now === undefined ? "removed" : "changed";
    return [{ path: [name], kind, before: old, after: now }];
  });
}

const longestValue = 30;
/** Equal characters that are shown before the first difference of long values. */
const leadCharacters = 16;

/** Two values in few columns: long ones begin shortly before their first difference. */
function clippedPair(before: unknown, after: unknown): readonly [string, string] {
  const [old, now] = [shortWords(before), shortWords(after)];
  let equal = 0;
  while (equal < old.length && old[equal] === now[equal]) equal += 1;
  const isLong = Math.max(old.length, now.length) > longestValue;
  const start = isLong ? Math.max(0, equal - leadCharacters) : 0;
  const cut = (text: string) => {
    const shown = start > 0 ? `…${text.slice(start).toWellFormed()}` : text;
    return clipText(shown, longestValue);
  };
  return [cut(old), cut(now)];
}

/** Differences in one line: `status decided → open, note removed`. */
export function differenceWords(differences: readonly Difference[]): string {
  const words = differences.map(({ path, kind, before, after }) => {
    const name = path.join(".");
    const [old, now] = clippedPair(before, after);
    if (kind === "added") return `${name} ${clipText(shortWords(after), longestValue)} added`;
    if (kind === "removed") return `${name} ${clipText(shortWords(before), longestValue)} removed`;
    return `${name} ${old} → ${now}`;
  });
  return words.length === 0 ? "the same data" : words.join(", ");
}

/** The changed names in one line: `+tags status -note`. */
export function changeWords(changes: Changes): string {
  const signs = { added: "+", removed: "-", changed: "" } as const;
  return differencesOf(changes)
    .map(({ kind, path }) => `${signs[kind]}${path.join(".")}`)
    .join(" ");
}

function shortWords(value: unknown): string {
  if (value === undefined) return "";
  return value === null || value === "" ? JSON.stringify(value) : valueWords(value);
}

/** Differences as lines: `name  old → new` if it fits, else the old value above the new one. */
export function differenceLines(differences: readonly Difference[], width: number): StyledLine[] {
  return differences.flatMap(({ path, kind, before, after }): StyledLine[] => {
    const name = path.join(".");
    const [old, now] = [shortWords(before), shortWords(after)];
    const isOneLine = kind === "changed" && !`${old}${now}`.includes("\n");
    if (isOneLine && textWidth(`${name}  ${old} → ${now}`) + 2 <= width) {
      return [
        [
          { text: `~ ${clipText(name, width)}  `, as: "quiet" },
          { text: clipText(old, width), as: "bad" },
          { text: " → ", as: "quiet" },
          { text: clipText(now, width), as: "good" },
        ],
      ];
    }
    const removed = kind === "added" ? [] : signed("-", name, old, width);
    const added = kind === "removed" ? [] : signed("+", name, now, width);
    return [...removed, ...added];
  });
}

function signed(sign: "+" | "-", name: string, value: string, width: number): StyledLine[] {
  const as = sign === "+" ? "good" : "bad";
  const lines = textLines(`${name}  ${value}`, Math.max(1, width - 2), as);
  return lines.map((line, index) => [{ text: index === 0 ? `${sign} ` : "  ", as }, ...line]);
}

export function actorOf({ actor }: HistoryItem, nameOf: NameOf): string {
  return actor === null || actor === undefined ? "" : (nameOf(actor) ?? actor);
}

/** Version, operation, actor and time in one line; `nowMs` is in milliseconds since 1970. */
export function headLine(item: HistoryItem, nowMs: number, nameOf: NameOf): string {
  const actor = actorOf(item, nameOf);
  const by = actor === "" ? "" : ` by ${actor}`;
  return `version ${item.version} · ${item.operation}${by} · ${item.at} (${distanceWords(item.at, nowMs)})`;
}

export function changeLines(item: HistoryItem, width: number): StyledLine[] {
  const lines = differenceLines(differencesOf(item.changes), width);
  return lines.length > 0 ? lines : [[{ text: "nothing was changed", as: "quiet" }]];
}
