import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Refusal } from "#contract/problems.ts";
import type { Member } from "#contract/workspaces.ts";
import { isStorable } from "../../kit/storable-text.ts";
import { faultAt, invalid } from "../../http/faults.ts";
import type { Database } from "../../database/database.ts";
import {
  countMembers,
  listMembers,
  memberFields,
  type MemberField,
  type MemberListing,
} from "./store.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages } from "../../http/lists/pages.ts";
import { sortOf, whereOf } from "../../http/lists/parameters.ts";
import { memberOf } from "./membership.ts";

type MemberQuery = ListQuery & { readonly search?: string | undefined };

const defaultSort = "email";

/** A workspace's members with page, search, sort, simple filters and a cursor. */
export class MemberList {
  readonly #database: Database;
  readonly #cursors: ListCursors;

  constructor(options: { database: Database; cursors: ListCursors }) {
    this.#database = options.database;
    this.#cursors = options.cursors;
  }

  async list(workspaceId: string, query: MemberQuery): Promise<ListBody<Member>> {
    const { read } = this.#database;
    const { search } = query;
    const sort = sortOf(query.sort ?? defaultSort, memberFields);
    const equals = query.where === undefined ? [] : parseWhere(query.where);
    const pages = new ListPages(this.#cursors, [workspaceId, search ?? "", sort, equals]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    const listing: MemberListing = { workspaceId, search, equals, sort, limit, offset };
    return pages.body(start, {
      rows: await listMembers(read, listing),
      itemOf: memberOf,
      total: query.count === true ? await countMembers(read, listing) : undefined,
    });
  }
}

/** `{"role":"tenant-admin"}` or `{"role":{"$in":["…","…"]}}`: all that a list of people needs. */
function parseWhere(text: string): MemberListing["equals"] {
  const where = whereOf(text);
  if (typeof where !== "object" || where === null || Array.isArray(where)) {
    throw refusedWhere([], "is not an object");
  }
  return Object.entries(where).map(([name, wanted]: [string, unknown]) => {
    const field = memberFields.find((known) => known === name);
    if (field !== undefined) return { field, values: wantedValues(field, wanted) };
    throw refusedWhere([name], `is not a field of a member: wanted ${memberFields.join(", ")}`);
  });
}

function wantedValues(field: MemberField, wanted: unknown): readonly string[] {
  if (isText(wanted)) return [wanted];
  if (typeof wanted === "object" && wanted !== null) {
    const [entry, ...others] = Object.entries(wanted) as [string, unknown][];
    if (entry !== undefined && others.length === 0) {
      const [operator, value] = entry;
      if (operator === "$eq" && isText(value)) return [value];
      if (operator === "$in" && isTexts(value)) return value;
      const detail = "is not usable here: wanted $eq with a text or $in with 1 to 100 texts";
      throw refusedWhere([field, operator], detail);
    }
  }
  throw refusedWhere([field], "is neither a text nor an operator");
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isText);
}

/** What no store holds is no text that a member could have. */
function isText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

function refusedWhere(path: readonly string[], detail: string): Refusal {
  return invalid([faultAt("query", ["where", ...path], detail)]);
}
