import type { DocumentRecord } from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { given } from "#lib/given.ts";
import { hasTest, type Condition } from "../../../database/where/condition.ts";
import {
  countDocuments,
  documentFields,
  listDocuments,
  fieldKind,
} from "../store/list-documents.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { bytesOfTexts, fittingRows, ListPages } from "../../../kit/lists/pages.ts";
import { sortOf, whereOf } from "../../../kit/lists/parameters.ts";
import { documentRecordOf } from "../wire.ts";
import { invalid } from "../../../kit/faults.ts";
import { parseFilter } from "../../../database/where/parse-filter.ts";
import type { WhereRules } from "../../../database/where/filter-rules.ts";
import type { Work } from "../../../work/work.ts";

const defaultSort = "-created_at";

/** One page of a workspace's documents, by the list conventions; 422 for what can't be read. */
export async function listedDocuments(
  work: Work,
  cursors: ListCursors,
  workspaceId: string,
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ListBody<DocumentRecord>> {
  const sort = sortOf(query.sort ?? defaultSort, documentFields);
  const filter = query.where === undefined ? undefined : parseDocumentWhere(query.where);
  const read = hasTest(filter, "pattern")
    ? work.scan.with({ share: workspaceId, ...given({ signal }) })
    : work.read;
  const pages = new ListPages(cursors, ["documents", workspaceId, sort, filter ?? null]);
  const start = pages.start(query);
  const { offset, after } = start;
  const listing = { workspaceId, filter, sort, limit: start.rows, offset, after };
  const rows = await listDocuments(read, listing);
  return pages.body(start, {
    rows,
    shown: fittingRows(rows, start.limit, ({ document }) => bytesOfTexts(document)),
    itemOf: ({ document }) => documentRecordOf(document),
    positionOf: ({ position }) => position,
    total: query.count === true ? await countDocuments(read, listing) : undefined,
  });
}

export const documentRules: WhereRules = {
  operators:
    "$eq $ne $gt $gte $lt $lte $in $nin $exists $regex $options $contains $startsWith $not".split(
      " ",
    ),
  groups: ["$and", "$or", "$nor"],
  limits: { depth: 32, filterDepth: 8, filters: 200, fields: 100, listItems: 500, faults: 500 },
  field(name) {
    const field = documentFields.find((known) => known === name);
    if (field === undefined) {
      return `is not a field of a document: use ${documentFields.join(", ")}`;
    }
    return { path: [field], kind: fieldKind(field), isNullable: true, branches: 1 };
  },
};

/** The condition of a `where` parameter; refuses 422 with a pointer to each fault. */
export function parseDocumentWhere(text: string): Condition | undefined {
  const parsed = parseFilter(whereOf(text), ["query", "where"], documentRules);
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  return parsed.condition;
}
