import type { AuditEntry } from "#client/index.ts";
import { useAgeTime } from "../kit/keys/use-keys.ts";
import { clipMiddle, clipText, fitText, textWidth } from "../kit/text/text-layout.ts";
import type { StyledLine } from "../kit/text/styled-lines.ts";
import { ageWords, countWords, shareBar } from "../kit/text/words.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";

/** Entries that are read; a column shows as many as it has room for. */
const readEntries = 200;
const refreshMs = 30_000;
const ageWidth = 4;
const whoWidth = 20;
/** Columns that a path needs to say anything. */
const leastPath = 16;
/** Rows of the people in a summary, with its heading. */
const mostPeople = 9;

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

function isSameWork(one: AuditEntry, other: AuditEntry): boolean {
  return (
    whoOf(one) === whoOf(other) &&
    one.action === other.action &&
    one.path === other.path &&
    one.code === other.code
  );
}

/** Joins neighbours of one person with the same request and outcome. */
export function entryRuns(entries: readonly AuditEntry[]): EntryRun[] {
  const runs: EntryRun[] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last !== undefined && isSameWork(last.first, entry)) {
      runs.splice(-1, 1, { ...last, count: last.count + 1 });
    } else runs.push({ first: entry, count: 1 });
  }
  return runs;
}

/** Runs of so many rows, if there are as many: the newest entries are joined last. */
function runsOf(entries: readonly AuditEntry[], rows: number): EntryRun[] {
  const runs = entryRuns(entries);
  let left = rows - runs.length;
  let at = 0;
  return runs.flatMap((run) => {
    const singles = entries.slice(at, at + Math.min(run.count - 1, Math.max(0, left)));
    const rest = entries[at + singles.length] ?? run.first;
    at += run.count;
    left -= singles.length;
    return [
      ...singles.map((first): EntryRun => ({ first, count: 1 })),
      { first: rest, count: run.count - singles.length },
    ];
  });
}

/** The rows that {@link entryLines} fills if it has them: two for each entry. */
export function entryRows(entries: readonly AuditEntry[]): number {
  return 1 + Math.max(1, 2 * entries.length);
}

/**
 * A heading and the entries that fit into the rows; `none` says that there is no entry. Entries are
 * joined only as far as they need it; few ones have a row more with their time and whole path.
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
  const lines = runsOf(entries, isWhole ? entries.length : rows - 1)
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

/** Columns of the longest bar, and of one next to long names. */
const longestBar = 24;
const leastBar = 4;

/** A heading, and a bar for each of the largest figures: `licence  ▇▇▇▇▇  42`. */
export function figureLines(
  title: string,
  figures: ReadonlyMap<string, number>,
  { width, rows }: { readonly width: number; readonly rows: number },
): StyledLine[] {
  const shown = [...figures].toSorted(([, a], [, b]) => b - a).slice(0, Math.max(0, rows - 1));
  if (shown.length === 0) return [];
  const most = Math.max(1, ...shown.map(([, figure]) => figure));
  const figureWidth = Math.max(...shown.map(([, figure]) => textWidth(countWords(figure))));
  const nameRoom = Math.max(1, width - leastBar - figureWidth - 4);
  const nameWidth = Math.min(nameRoom, Math.max(...shown.map(([name]) => textWidth(name))));
  const bar = Math.max(0, Math.min(longestBar, width - nameWidth - figureWidth - 4));
  return [
    [{ text: title, as: "heading" }],
    ...shown.map(([name, figure]): StyledLine => [
      { text: `${fitText(clipMiddle(name, nameWidth), nameWidth)}  ` },
      { text: countWords(figure).padStart(figureWidth) },
      { text: `  ${shareBar(figure / most, bar)}`, as: "focus" },
    ]),
  ];
}

function countedBy(
  entries: readonly AuditEntry[],
  nameOf: (entry: AuditEntry) => string,
): ReadonlyMap<string, number> {
  const groups = Map.groupBy(entries, nameOf);
  return new Map(Array.from(groups, ([name, { length }]) => [name, length]));
}

/** The last changes by person and by kind, for a column that has room for them. */
export function summaryLines(
  { done, refused }: LastEntries,
  view: { readonly width: number; readonly rows: number },
): StyledLine[] {
  const all = [...done, ...refused];
  if (all.length === 0) return [];
  const words = `of the last ${countWords(all.length)} writes`;
  const people = figureLines(`People ${words}`, countedBy(all, whoOf), {
    ...view,
    rows: Math.min(mostPeople, Math.floor(view.rows / 2)),
  });
  const kinds = figureLines(
    `Kinds ${words}`,
    countedBy(all, ({ action }) => action),
    {
      ...view,
      rows: view.rows - people.length - 1,
    },
  );
  return kinds.length === 0 ? people : [...people, [], ...kinds];
}
