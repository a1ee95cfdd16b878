import { defaultPageLimit } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Refusal } from "#contract/problems.ts";
import type { Member } from "#contract/workspaces.ts";
import { isStorable } from "#lib/storable-text.ts";
import { faultAt, invalid } from "../../pipeline/faults.ts";
import type { Database } from "../../stores/database.ts";
import {
  countMembers,
  listMembers,
  memberFields,
  type MemberField,
  type MemberListing,
} from "../../stores/workspaces.ts";
import type { ListCursors } from "../list-cursors.ts";
import { sortOf, whereOf } from "../list-parameters.ts";
import { memberOf } from "./member.ts";

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
    const limit = query.limit ?? defaultPageLimit;
    const sort = sortOf(query.sort ?? defaultSort, memberFields);
    const equals = query.where === undefined ? [] : parseWhere(query.where);
    // A cursor holds only for the list it came from.
    const list = [workspaceId, query.search ?? "", sort, equals];
    const page = query.page ?? 1;
    const offset =
      query.cursor === undefined
        ? (page - 1) * limit
        : Number(this.#cursors.read(list, query.cursor)[0]);
    const { search } = query;
    const listing: MemberListing = { workspaceId, search, equals, sort, limit: limit + 1, offset };
    const rows = await listMembers(this.#database.read, listing);
    const hasNextPage = rows.length > limit;
    return {
      items: rows.slice(0, limit).map(memberOf),
      page: Math.floor(offset / limit) + 1,
      limit,
      hasNextPage,
      nextCursor: hasNextPage ? this.#cursors.write(list, [offset + limit]) : null,
      ...(query.count === true ? { total: await countMembers(this.#database.read, listing) } : {}),
    };
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
