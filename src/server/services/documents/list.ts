import type { DocumentRecord } from "#contract/documents.ts";
import { defaultPageLimit } from "#contract/lists.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Database } from "../../stores/database.ts";
import { countDocuments, listDocuments } from "../../stores/documents/listing.ts";
import type { DocumentFilter } from "../../stores/documents/listing.ts";
import type { ListCursors } from "../list-cursors.ts";
import { parseDocumentSort, parseDocumentWhere } from "./list-query.ts";
import { documentRecordOf } from "./wire.ts";

const defaultSort = "-created_at";

/** One page of a workspace's documents, by the list conventions. */
export async function documentPage(
  options: { readonly database: Database; readonly cursors: ListCursors },
  workspaceId: string,
  query: ListQuery,
): Promise<ListBody<DocumentRecord>> {
  const { read } = options.database;
  const limit = query.limit ?? defaultPageLimit;
  const page = query.page ?? 1;
  const sort = parseDocumentSort(query.sort ?? defaultSort);
  const filter: DocumentFilter =
    query.where === undefined ? { all: [] } : parseDocumentWhere(query.where);
  const list = ["documents", workspaceId, sort, filter];
  const after = query.cursor === undefined ? undefined : options.cursors.read(list, query.cursor);
  const offset = after === undefined ? (page - 1) * limit : 0;
  const listing = { workspaceId, filter, sort, limit: limit + 1, offset, after };
  const found = await listDocuments(read, listing);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const hasNextPage = found.length > limit;
  return {
    items: items.map(({ document }) => documentRecordOf(document)),
    page,
    limit,
    hasNextPage,
    nextCursor:
      hasNextPage && last !== undefined ? options.cursors.write(list, last.position) : null,
    ...(query.count === true ? { total: await countDocuments(read, listing) } : {}),
  };
}
