import type { DocumentTable } from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Reader } from "../../../database/database.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { bytesOfTexts, fittingRows, ListPages } from "../../../kit/lists/pages.ts";
import type { DocumentKey } from "../store/document-row.ts";
import { pagesWithTables, type PageWithTables } from "../store/page-texts.ts";

const pagesAtATime = 20;

type TablesQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count"> & {
  readonly ofPage?: number | undefined;
};

/** One page of the tables of a document, by the list conventions. */
export async function documentTables(
  { reader, cursors }: { readonly reader: Reader; readonly cursors: ListCursors },
  document: DocumentKey,
  query: TablesQuery,
): Promise<ListBody<DocumentTable>> {
  const pages = new ListPages(cursors, ["document tables", document.id, query.ofPage ?? null]);
  const start = pages.start(query);
  const counts = query.count === true;
  const rows: DocumentTable[] = [];
  let total = 0;
  for await (const table of tablesOf(reader, document, query.ofPage)) {
    if (total >= start.offset && rows.length < start.rows) rows.push(table);
    total += 1;
    if (!counts && rows.length === start.rows) break;
  }
  const bytesOf = ({ rows: cells }: DocumentTable): number =>
    cells.flat().reduce((sum, cell) => sum + bytesOfTexts(cell) + 40, 0);
  return pages.body(start, {
    rows,
    shown: fittingRows(rows, start.limit, bytesOf),
    itemOf: (table) => table,
    total: counts ? total : undefined,
  });
}

async function* tablesOf(
  reader: Reader,
  document: DocumentKey,
  ofPage: number | undefined,
): AsyncGenerator<DocumentTable, void, void> {
  let last = 0;
  let number = 0;
  for (;;) {
    const pages = await pagesWithTables(reader, document, last, pagesAtATime, { only: true });
    for (const page of pages) {
      for (const table of page.tables ?? []) {
        number += 1;
        if (ofPage === undefined || ofPage === page.number) yield wireTable(page, table, number);
      }
      last = page.number;
    }
    if (pages.length < pagesAtATime) return;
  }
}

function wireTable(
  { number: page, text }: PageWithTables,
  { header, rows, continues }: NonNullable<PageWithTables["tables"]>[number],
  table: number,
): DocumentTable {
  return {
    table,
    page,
    header,
    rows: rows.map((row) =>
      row.map(([start, end]) => ({
        text: text.slice(start, end),
        span: end > start ? { start, end } : null,
      })),
    ),
    ...(continues === true ? { continues } : {}),
  };
}
