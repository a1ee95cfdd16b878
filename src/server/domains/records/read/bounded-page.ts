import { maximumPageBytes } from "#contract/limits.ts";
import type { AnswerBudget, AnswerHold } from "../../../kit/answer-budget.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import type { ReadableType } from "../../object-types/service.ts";
import { isOrderedByIndex, listRecords, sortValuesIn } from "../store/read/record-pages.ts";
import type { ListedRecords, RecordPage } from "../store/read/listed-page.ts";
import type { Readers, ScanCaller } from "../store/read/scans.ts";
import type { StoredRecord } from "../store/record-types.ts";

/** Rows that are read at once; a record has at most 1 MiB. */
const rowsAtOnce = 128;
/** Rows that are read first if no row of the list has been seen, so that its size is not known. */
const unknownRowsAtOnce = 8;
/** Bytes that are read at once; between two reads the thread answers others. */
const bytesAtOnce = 1024 * 1024;
/** Rows of this size leave a whole page within its bytes. */
const smallBytes = 16 * 1024;

/** Records whose data is in the definition's order, without the fields that are hidden. */
export interface BoundedRecords extends ListedRecords {
  /** The records that the page holds; the others only show that there is another page. */
  readonly shown: number;
}

export interface BoundedReading {
  readonly answers: AnswerBudget;
  readonly hold: AnswerHold;
  readonly caller?: ScanCaller | undefined;
}

/**
 * Reads a page of at most {@link maximumPageBytes} of fields that the caller may read, in steps, so
 * that memory follows the page and not its number of rows. A read that sorts repeats its work in
 * each step, so small rows are read at once.
 */
export async function listBounded(
  readers: Readers,
  page: RecordPage & { readonly type: ReadableType },
  { answers, hold, caller }: BoundedReading,
): Promise<BoundedRecords> {
  const { workspaceId, number } = page.type;
  const sizes = answers.sizesOf(`${workspaceId} ${number}${page.projection?.key ?? ""}`);
  const records: StoredRecord[] = [];
  const valuesAt = (at: number) => sortValuesIn(page.keys, records[at]);
  const isCheap = isOrderedByIndex(page);
  const most = page.limit - 1;
  let { after, offset } = page;
  let rows = sizes.areKnown ? rowsAtOnce : unknownRowsAtOnce;
  let bytes = 0;
  let readBytes = 0;
  const turn = answers.turn(workspaceId, sizes, page.limit, maximumPageBytes, caller);
  if (turn !== undefined) await turn;
  const ticks = new TickShare(workspaceId);
  const usualRows = Math.max(1, Math.round(bytesAtOnce / sizes.usual));
  for (;;) {
    if (ticks.isUsed) await ticks.begin();
    const { largest } = sizes;
    // One more row is read, which ends the page.
    const fitting = 1 + Math.floor(maximumPageBytes / largest);
    const atOnce = isCheap ? Math.min(rows, usualRows) : rows;
    const limit = Math.min(atOnce, fitting, page.limit - records.length);
    hold.need(bytes + limit * largest);
    const step = await listRecords(readers, { ...page, after, offset, limit }, caller);
    for (const row of step.records) sizes.noteRow(row.data.length);
    for (const row of step.records) {
      readBytes += row.data.length;
      // Hidden fields count for nothing: the length of a page would tell of their size.
      const data = page.type.dataText(row.data);
      const isSame = data === row.data;
      if (!isSame && ticks.isUsed) await ticks.begin();
      const record = isSame ? row : { ...row, data };
      bytes += data.length;
      const isOver = bytes > maximumPageBytes && records.length > 0;
      records.push(record);
      if (isOver) {
        sizes.notePage(records.length, readBytes);
        return { records, shown: records.length - 1, valuesAt };
      }
    }
    hold.need(bytes);
    if (step.records.length < limit || records.length === page.limit) {
      sizes.notePage(records.length, readBytes);
      return { records, shown: Math.min(records.length, most), valuesAt };
    }
    after = valuesAt(records.length - 1);
    offset = 0;
    rows = Math.max(rows, rowsAtOnce);
    if (!isCheap && bytes < records.length * smallBytes) rows = page.limit;
  }
}
