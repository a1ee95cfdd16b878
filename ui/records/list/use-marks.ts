import { useMemo } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { countWords } from "../../kit/text/words.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import { rowsFrom, type LiveList } from "../../kit/lists/live-list.ts";
import type { PlaceMarks } from "../../kit/lists/use-row-marks.ts";
import { useNotices } from "../../shell/notices.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";

/** The stored part of a marked record; whole records would need too much memory. */
export interface MarkedRecord {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

export type MarkedRecords = ReadonlyMap<string, MarkedRecord>;

export interface Marks extends PlaceMarks {
  readonly records: MarkedRecords;
  readonly keepOnly: (ids: ReadonlySet<string>) => void;
}

const maximumMarks = 10_000;
const pageSize = 500;

interface Marked {
  readonly records: MarkedRecords;
  readonly anchor: string | undefined;
}

const nothing: Marked = { records: new Map(), anchor: undefined };

export function markOf(type: ObjectType, record: Resource): MarkedRecord {
  return { id: record.id, name: recordName(record, type), version: record.version };
}

/** Marks of the records until there are as many as allowed. */
async function marksOf(
  type: ObjectType,
  records: AsyncIterable<Resource>,
  onMarked: (count: number) => void,
): Promise<Map<string, MarkedRecord>> {
  const marks = new Map<string, MarkedRecord>();
  for await (const record of records) {
    marks.set(record.id, markOf(type, record));
    onMarked(marks.size);
    if (marks.size >= maximumMarks) break;
  }
  return marks;
}

function markedWords(count: number): string {
  const limit = count >= maximumMarks ? "; this is the maximum" : "";
  return `marked ${counted(count, "record")}${limit}`;
}

function withoutGone({ records }: Marked, remaining: ReadonlySet<string>): Marked {
  const left = [...records].filter(([id]) => remaining.has(id));
  return { records: new Map(left), anchor: undefined };
}

/** The marked records of one type, remembered between visits. */
export function useMarks(
  type: ObjectType,
  list: LiveList<Resource>,
  query: { readonly where: string | undefined; readonly sort: string },
): Marks {
  const { client, tenantId } = usePlatform();
  const { say } = useNotices();
  const overlays = useOverlays();
  const [marked, setMarked] = useRemembered<Marked>(`marked ${type.slug}`, nothing);
  const { records } = marked;
  const ids = useMemo(() => new Set(records.keys()), [records]);

  const put = (next: Map<string, MarkedRecord>, anchor: string | undefined) => {
    const most = `at most ${countWords(maximumMarks)} records can be marked`;
    if (next.size > maximumMarks) return say("note", most);
    setMarked({ records: next, anchor });
  };
  const readAll = () => {
    if (client === undefined) return;
    overlays.work({
      title: `Mark all of ${type.slug}`,
      counted: "records marked",
      stop: "stops; the marks stay as they were",
      run: async (report, signal) => {
        const all = client.useResources(type.slug, { tenantId });
        const total = list.counted ? list.count : undefined;
        const next = await marksOf(type, all.all({ ...query, pageSize, signal }), (done) =>
          report({ done, total }),
        );
        setMarked({ records: next, anchor: undefined });
        return { good: true, lines: [markedWords(next.size)] };
      },
    });
  };
  return {
    records,
    ids,
    toggle: (count) => {
      const next = new Map(records);
      const from = list.cursor.get().index;
      for (const record of rowsFrom(list, from, count)) {
        if (record !== undefined && !next.delete(record.id))
          next.set(record.id, markOf(type, record));
      }
      put(next, list.rowAt(from + count - 1)?.id);
      list.cursor.moves.down?.(count);
    },
    range: () => {
      const { index } = list.cursor.get();
      const start = list.indexOf(marked.anchor ?? "");
      const first = start === -1 ? index : Math.min(start, index);
      const rows = rowsFrom(list, first, Math.max(start, index) - first + 1);
      const next = new Map(records);
      for (const row of rows) if (row !== undefined) next.set(row.id, markOf(type, row));
      put(next, list.rowAt(index)?.id);
      const missing = rows.filter((row) => row === undefined).length;
      if (missing > 0) say("note", `${missing} rows are not loaded and were not marked`);
    },
    all: () => {
      if (!list.counted || list.count > maximumMarks) return readAll();
      const rows = rowsFrom(list, 0, list.count);
      const known = rows.filter((row) => row !== undefined);
      if (known.length < rows.length) return readAll();
      if (known.every((row) => ids.has(row.id))) return setMarked(nothing);
      return put(new Map(known.map((row) => [row.id, markOf(type, row)])), undefined);
    },
    clear: () => setMarked(nothing),
    keepOnly: (remaining) => setMarked((now) => withoutGone(now, remaining)),
  };
}
