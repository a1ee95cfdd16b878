import type { AuditEntry } from "#client/index.ts";
import { useAgeTime } from "../kit/keys/use-keys.ts";
import { clipMiddle, clipText, fitText, textWidth } from "../kit/text/text-layout.ts";
import type { StyledLine } from "../kit/text/styled-lines.ts";
import { ageWords } from "../kit/text/words.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";

/** Entries that are read; a column shows as many as it has room for. */
const readEntries = 200;
const refreshMs = 30_000;
const ageWidth = 4;
const whoWidth = 20;
/** Columns that a path needs to say anything. */
const leastPath = 16;

export interface LastEntries {
  readonly done: readonly AuditEntry[];
  /** The requests that were refused or that failed. */
  readonly refused: readonly AuditEntry[];
}

/** The newest entries of the audit log, for administrators who have a screen for them. */
export function useLastEntries(isShown: boolean): {
  readonly entries: LastEntries | undefined;
  readonly nowMs: number;
} {
  const isAdmin = useRole() === "tenant-admin";
  const { value } = useAnswer<LastEntries>(
    ["audit.list", "health"],
    async (client, signal, tenantId) => {
      const read = async (outcome: "done" | "refused" | "failed") =>
        (await client.audit.list({ tenantId, signal, query: { outcome, limit: readEntries } }))
          .items;
      const [done, refused, failed] = await Promise.all([
        read("done"),
        read("refused"),
        read("failed"),
      ]);
      const all = [...refused, ...failed].toSorted((a, b) => b.sequence - a.sequence);
      return { done, refused: all };
    },
    { refreshMs, enabled: isShown && isAdmin },
  );
  return { entries: value, nowMs: useAgeTime(value) };
}

/** Entries of one kind that follow each other, the newest one first. */
interface EntryRun {
  readonly first: AuditEntry;
  readonly count: number;
}

function whoOf({ actor, actorName }: AuditEntry): string {
  return actorName ?? (actor === "" ? "anonymous" : actor);
}

/** Joins neighbours of one person with the same request and outcome. */
export function entryRuns(entries: readonly AuditEntry[]): EntryRun[] {
  const runs: EntryRun[] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    const { action, path, code } = last?.first ?? {};
    const isSame =
      last !== undefined &&
      whoOf(last.first) === whoOf(entry) &&
      action === entry.action &&
      path === entry.path &&
      code === entry.code;
    if (isSame) runs.splice(-1, 1, { ...last, count: last.count + 1 });
    else runs.push({ first: entry, count: 1 });
  }
  return runs;
}

/** The rows that {@link entryLines} fills if it has them: two for each entry. */
export function entryRows(entries: readonly AuditEntry[]): number {
  return 1 + Math.max(1, 2 * entries.length);
}

/**
 * A heading and the entries that fit into the rows; `none` says that there is no entry. Few entries
 * are not joined, and each has a row more with its time and its whole path.
 */
export function entryLines(
  title: string,
  entries: readonly AuditEntry[],
  view: {
    readonly width: number;
    readonly rows: number;
    readonly nowMs: number;
    readonly none: string;
  },
): StyledLine[] {
  const { width, rows, nowMs, none } = view;
  if (rows < 2) return [];
  const isWhole = entryRows(entries) <= rows;
  const single = entries.map((first): EntryRun => ({ first, count: 1 }));
  const lines = (isWhole ? single : entryRuns(entries))
    .slice(0, rows - 1)
    .flatMap(({ first, count }): StyledLine[] => {
      const { action, outcome, path, code, at } = first;
      const why = outcome === "done" ? "" : `  ${code ?? outcome}`;
      const times = count === 1 ? "" : `  ×${count}`;
      const ends = textWidth(why) + textWidth(times);
      const room = Math.max(1, width - ageWidth - whoWidth - 4 - ends);
      const shown = clipText(action, room);
      const pathRoom = room - textWidth(shown) - 2;
      const inLine = isWhole || pathRoom < leastPath ? "" : `  ${clipMiddle(path, pathRoom)}`;
      const line: StyledLine = [
        { text: `${fitText(ageWords(at, nowMs), ageWidth)}  `, as: "quiet" },
        { text: `${fitText(clipText(whoOf(first), whoWidth), whoWidth)}  `, as: "you" },
        { text: shown },
        { text: inLine, as: "quiet" },
        { text: times, as: "quiet" },
        { text: why, as: "warn" },
      ];
      const margin = ageWidth + 2;
      const more = clipMiddle(`${at}  ${path}`, Math.max(1, width - margin));
      return isWhole ? [line, [{ text: " ".repeat(margin) + more, as: "quiet" }]] : [line];
    });
  const empty: StyledLine = [{ text: none, as: "quiet" }];
  return [[{ text: title, as: "heading" }], ...(lines.length === 0 ? [empty] : lines)];
}
