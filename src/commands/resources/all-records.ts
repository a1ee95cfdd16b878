import { OutputClosed, OutputFailed } from "#cli/output.ts";
import type { Client } from "#client/surface.ts";
import type { Resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { counted } from "#lib/counted.ts";
import { shellWord } from "#lib/shell-word.ts";
import type { CommandContext } from "../context.ts";
import { RowWriter } from "../rows.ts";
import { Leftovers, recordFields } from "./fields.ts";

/** Characters of one page, as it is written: what is in memory is a few of these. */
const pageCharacters = 2 * 1024 * 1024;
const firstPageSize = 20;
const largestPageSize = 500;

export interface AllRecords {
  readonly context: CommandContext;
  readonly client: Client;
  readonly type: string;
  readonly sort: string | undefined;
  readonly where: JsonObject | undefined;
  /** Where to begin, e.g. where an earlier call broke off. */
  readonly cursor: string | undefined;
  /** Records per page; by default as many as fit into a bounded page. */
  readonly pageSize: number | undefined;
  readonly columns: readonly string[] | undefined;
}

/**
 * Writes every record as NDJSON, or as CSV, one page while the next is on its way. Memory is that of
 * a few pages, however many there are: a page is written before the one after the next is asked
 * for. When a page fails, the lines so far are whole, and stderr names the cursor to go on from.
 */
export async function printAllRecords(wanted: AllRecords): Promise<void> {
  const { context, client, type, sort, where, columns } = wanted;
  const { output, signal } = context;
  output.openStream();
  const isCsv = output.settings.format === "csv";
  const fields = await recordFields(client, [type], { names: columns, isCsv }, signal);
  const writer = new RowWriter<Resource>(
    output,
    isCsv
      ? { format: "csv", fields: fields.chosen ?? fields.csv }
      : { format: "ndjson", fields: fields.chosen },
  );
  const leftovers = isCsv && fields.chosen === undefined ? new Leftovers(fields.csv) : undefined;
  let { cursor, pageSize = firstPageSize } = wanted;
  let written = 0;
  try {
    const pages = client.useResources(type).pages({
      sort,
      where,
      cursor,
      pageSize: () => pageSize,
      readAhead: true,
      signal,
    });
    for await (const { items, nextCursor } of pages) {
      const characters = await writer.write(items);
      written += items.length;
      leftovers?.look(items);
      cursor = nextCursor ?? undefined;
      if (wanted.pageSize === undefined && items.length > 0) {
        const fitting = Math.floor((pageCharacters * items.length) / Math.max(1, characters));
        pageSize = Math.min(largestPageSize, Math.max(1, fitting));
      }
      // Where the lines themselves are on the screen, they show how far it is.
      if (!output.stdoutIsTerminal) await output.progress(`${written} ${type}`);
    }
  } catch (error) {
    if (!(error instanceof OutputClosed) && cursor !== undefined) {
      // What the device still took of the next page has no end.
      const said =
        error instanceof OutputFailed
          ? `The first ${written} records are whole: take away what follows them. To go on`
          : `Whole so far: ${counted(written, "record")}. To go on`;
      await output.note(`${said}: --all --cursor ${shellWord(output.plain(cursor))}`);
    }
    throw error;
  }
  const left = leftovers?.words();
  if (left !== undefined) await output.note(output.plain(left));
  if (written === 0) await output.note(`No ${type} records${where === undefined ? "" : " fit"}`);
}
