import type { DocumentRecord } from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Database } from "../../../database/database.ts";
import { hasTest } from "../../../database/where/condition.ts";
import { countDocuments, documentFields, listDocuments } from "../store/list-documents.ts";
import type { ListCursors } from "../../../http/lists/cursors.ts";
import { ListPages } from "../../../http/lists/pages.ts";
import { sortOf } from "../../../http/lists/parameters.ts";
import { parseDocumentWhere } from "./document-filter.ts";
import { documentRecordOf } from "../wire.ts";

const defaultSort = "-created_at";

/** One page of a workspace's documents, by the list conventions; 422 for what can't be read. */
export async function listedDocuments(
  options: { readonly database: Database; readonly cursors: ListCursors },
  workspaceId: string,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ListBody<DocumentRecord>> {
  const { database } = options;
  const sort = sortOf(query.sort ?? defaultSort, documentFields);
  const filter = query.where === undefined ? undefined : parseDocumentWhere(query.where);
  const read = hasTest(filter, "pattern")
    ? database.scan.with({ share: workspaceId, ...(signal === undefined ? {} : { signal }) })
    : database.read;
  const pages = new ListPages(options.cursors, ["documents", workspaceId, sort, filter ?? null]);
  const start = pages.start(query);
  const { offset, after } = start;
  const listing = { workspaceId, filter, sort, limit: start.rows, offset, after };
  return pages.body(start, {
    rows: await listDocuments(read, listing),
    itemOf: ({ document }) => documentRecordOf(document),
    positionOf: ({ position }) => position,
    total: query.count === true ? await countDocuments(read, listing) : undefined,
  });
}
