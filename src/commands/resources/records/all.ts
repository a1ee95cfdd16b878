import { shown } from "#cli/shown.ts";
import { OutputClosed, OutputFailed } from "#cli/output.ts";
import type { Client } from "#client/surface.ts";
import type { Resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { counted } from "#lib/counted.ts";
import { shellWord } from "#lib/shell-word.ts";
import type { CommandContext } from "../../context.ts";
import { RowWriter } from "../../output/rows.ts";
import { Leftovers, recordFields } from "./fields.ts";

/** Written characters per page; memory holds a few pages. */
const pageCharacters = 2 * 1024 * 1024;
const firstPageSize = 20;
const largestPageSize = 500;

export interface AllRecords {
  readonly type: string;
  readonly sort: string | undefined;
  readonly where: JsonObject | undefined;
  /** The place to start from, e.g. after an earlier call broke off. */
  readonly cursor: string | undefined;
  /** Records per page; by default as many as fit into a bounded page. */
  readonly pageSize: number | undefined;
  readonly columns: readonly string[] | undefined;
}

/**
 * Writes every record as NDJSON or CSV. It writes a page while the next one is fetched, so memory
 * holds a few pages. If a page fails, all written lines are whole, and stderr names the cursor to
 * continue from.
 */
export async function printAllRecords(
  { output, signal }: CommandContext,
  client: Client,
  query: AllRecords,
): Promise<void> {
  const { type, sort, where, columns } = query;
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
  let { cursor, pageSize = firstPageSize } = query;
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
      if (query.pageSize === undefined && items.length > 0) {
        const fitting = Math.floor((pageCharacters * items.length) / Math.max(1, characters));
        pageSize = Math.min(largestPageSize, Math.max(1, fitting));
      }
      // On a terminal the lines themselves show the progress.
      if (!output.stdoutIsTerminal) await output.progress(`${written} ${type}`);
    }
  } catch (error) {
    if (!(error instanceof OutputClosed) && cursor !== undefined) {
      // A failed device may have written a part of the next page.
      const words =
        error instanceof OutputFailed
          ? `The first ${written} records are complete: delete the rest of the output`
          : `Complete so far: ${counted(written, "record")}`;
      const place = shellWord(cursor);
      await output.note(shown`${words}. To continue: --all --cursor ${place}`);
    }
    throw error;
  }
  const left = leftovers?.words();
  if (left !== undefined) await output.note(shown`${left}`);
  if (written === 0)
    await output.note(shown`No ${type} records${where === undefined ? "" : " match"}`);
}
