import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Member } from "#contract/access/members.ts";
import { invalid } from "../../kit/faults.ts";
import type { Condition } from "../../database/where/condition.ts";
import { parseFilter } from "../../database/where/parse-filter.ts";
import type { WhereRules } from "../../database/where/filter-rules.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages } from "../../kit/lists/pages.ts";
import { sortOf, whereOf } from "../../kit/lists/parameters.ts";
import type { Work } from "../../work/work.ts";
import {
  countMembers,
  listMembers,
  memberFields,
  positionOf,
  type MemberListing,
} from "./list-store.ts";
import { memberOf } from "./membership.ts";

type MemberQuery = ListQuery & { readonly search?: string | undefined };

const defaultSort = "email";

/** A workspace's members with page, search, sort, simple filters and a cursor. */
export class MemberList {
  constructor(private readonly cursors: ListCursors) {}

  async list({ read }: Work, workspaceId: string, query: MemberQuery): Promise<ListBody<Member>> {
    const search = query.search?.trim();
    const sort = sortOf(query.sort ?? defaultSort, memberFields);
    const where = query.where === undefined ? undefined : parseWhere(query.where);
    const pages = new ListPages(this.cursors, [workspaceId, search ?? "", sort, where ?? null]);
    const start = pages.start(query);
    const { rows: limit, offset, after } = start;
    const listing: MemberListing = { workspaceId, search, where, sort, after, limit, offset };
    return pages.body(start, {
      rows: await listMembers(read, listing),
      itemOf: memberOf,
      positionOf: (row) => positionOf(listing, row),
      total: query.count === true ? await countMembers(read, listing) : undefined,
    });
  }
}

/** All that a list of people needs: `{"role":"tenant-admin"}` or `{"role":{"$in":["…","…"]}}`. */
const rules: WhereRules = {
  operators: ["$eq", "$in"],
  groups: [],
  limits: { depth: 3, operatorsPerField: 1, listItems: 100, fewestItems: 1, faults: 1 },
  field(name) {
    const field = memberFields.find((known) => known === name);
    if (field !== undefined) return { path: [field], kind: "text", branches: 1 };
    return `is not a field of a member: use ${memberFields.join(", ")}`;
  },
};

function parseWhere(text: string): Condition | undefined {
  const parsed = parseFilter(whereOf(text), ["query", "where"], rules);
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  return parsed.condition;
}
