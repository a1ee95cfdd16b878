import type { HistoryItem } from "#client/index.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { pointerNames } from "#lib/json-pointer.ts";
import { clipText, textWidth } from "../../kit/text/text-layout.ts";
import { textLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { distanceWords, valueWords } from "../../kit/text/words.ts";

/** What a write did to one place of a record's data. */
export interface Difference {
  /** Names from the data down to the place. */
  readonly path: readonly string[];
  readonly kind: "added" | "removed" | "changed";
  /** What stood there; `undefined` where nothing did, or where the write does not say. */
  readonly before: unknown;
  readonly after: unknown;
}

type Changes = HistoryItem["changes"];

/** A record that comes or goes as a whole: one difference for each of its properties. */
function wholes(kind: "added" | "removed", value: unknown): Difference[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, member]) =>
    kind === "added"
      ? { path: [name], kind, before: undefined, after: member }
      : { path: [name], kind, before: member, after: undefined },
  );
}

/**
 * A JSON Patch (RFC 6902) for a reader: what was there and what came. What was there stands in the
 * `test` before each `replace` and `remove`; a platform that sends none leaves it unsaid.
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

/** The names that a write changed, for one line: `+tags status -note`. */
export function changeWords(changes: Changes): string {
  const signs = { added: "+", removed: "-", changed: "" } as const;
  return differencesOf(changes)
    .map(({ kind, path }) => `${signs[kind]}${path.join(".")}`)
    .join(" ");
}

function shown(value: unknown): string {
  if (value === undefined) return "";
  return value === null || value === "" ? JSON.stringify(value) : valueWords(value);
}

/** Differences as lines: `name: old → new` where it fits, else what went above what came. */
export function differenceLines(differences: readonly Difference[], width: number): StyledLine[] {
  return differences.flatMap(({ path, kind, before, after }): StyledLine[] => {
    const name = path.join(".");
    const [old, now] = [shown(before), shown(after)];
    const short = kind === "changed" && !`${old}${now}`.includes("\n");
    if (short && textWidth(`${name}  ${old} → ${now}`) + 2 <= width) {
      return [
        [
          { text: `~ ${clipText(name, width)}  `, as: "quiet" },
          { text: clipText(old, width), as: "bad" },
          { text: " → ", as: "quiet" },
          { text: clipText(now, width), as: "good" },
        ],
      ];
    }
    const went = kind === "added" ? [] : signed("-", name, old, width);
    const came = kind === "removed" ? [] : signed("+", name, now, width);
    return [...went, ...came];
  });
}

function signed(sign: "+" | "-", name: string, value: string, width: number): StyledLine[] {
  const as = sign === "+" ? "good" : "bad";
  const lines = textLines(`${name}  ${value}`, Math.max(1, width - 2), as);
  return lines.map((line, index) => [{ text: index === 0 ? `${sign} ` : "  ", as }, ...line]);
}

export function actorOf({ actor }: HistoryItem, nameOf: (oid: string) => string): string {
  return actor === null || actor === undefined ? "" : nameOf(actor);
}

/** Who did what when, in one line; `nowMs` is milliseconds since 1970. */
export function headLine(
  item: HistoryItem,
  nowMs: number,
  nameOf: (oid: string) => string,
): string {
  const actor = actorOf(item, nameOf);
  const by = actor === "" ? "" : ` by ${actor}`;
  return `version ${item.version} · ${item.operation}${by} · ${item.at} (${distanceWords(item.at, nowMs)})`;
}

/** What a write changed, line by line. */
export function changeLines(item: HistoryItem, width: number): StyledLine[] {
  const lines = differenceLines(differencesOf(item.changes), width);
  return lines.length > 0 ? lines : [[{ text: "nothing was changed", as: "quiet" }]];
}
