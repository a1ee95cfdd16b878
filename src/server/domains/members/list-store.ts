import type { Reader } from "../../database/database.ts";
import { textContains } from "../../database/dialect.ts";
import { countRows } from "../../database/row-pages.ts";
import { join, raw, statement, type Statement } from "../../database/statement.ts";
import { compileColumns } from "../../database/where/compile-columns.ts";
import type { Condition } from "../../database/where/condition.ts";
import type { CursorValue } from "../../kit/lists/cursors.ts";
import { pagedMembers, searchable, type MemberRow } from "./store.ts";

/** The fields that a list of members sorts and filters by, with their columns; none is null. */
const memberColumns = {
  email: "email_key",
  displayName: "display_name",
  firstName: "first_name",
  lastName: "last_name",
  role: "role",
  status: "status",
  created_at: "created_at",
  memberId: "id",
  oid: "oid",
} as const satisfies Readonly<Record<string, keyof MemberRow>>;
export type MemberField = keyof typeof memberColumns;
export const memberFields = Object.keys(memberColumns) as readonly MemberField[];

export interface MemberListing {
  readonly workspaceId: string;
  readonly search: string | undefined;
  readonly where: Condition | undefined;
  readonly sort: readonly { readonly field: MemberField; readonly isDescending: boolean }[];
  /** The position of the member before the page; see {@link positionOf}. */
  readonly after: readonly CursorValue[] | undefined;
  readonly limit: number;
  readonly offset: number;
}

interface OrderedColumn {
  readonly name: (typeof memberColumns)[MemberField];
  readonly isDescending: boolean;
}

/** The order with the id last, in the last field's direction, so that an index can serve it. */
function orderOf({ sort }: Pick<MemberListing, "sort">): OrderedColumn[] {
  const order = sort.map(({ field, isDescending }) => ({
    name: memberColumns[field],
    isDescending,
  }));
  return [...order, { name: "id", isDescending: order.at(-1)?.isDescending ?? false }];
}

export function positionOf(listing: Pick<MemberListing, "sort">, row: MemberRow): string[] {
  return orderOf(listing).map(({ name }) => row[name]);
}

function column(name: string): Statement {
  return raw(`members.${name}`);
}

/** Members after a position. A row value is a range of an index if all columns go one way. */
function isAfter(order: readonly OrderedColumn[], after: readonly CursorValue[]): Statement {
  const values = order.map((_, at) => String(after[at] ?? ""));
  const [first] = order;
  if (order.every(({ isDescending }) => isDescending === first?.isDescending)) {
    const columns = join(order.map(({ name }) => column(name)));
    const sign = raw(first?.isDescending === true ? "<" : ">");
    return statement`(${columns}) ${sign} (${join(values)})`;
  }
  const steps = order.map(({ name, isDescending }, at) => {
    const equal = order
      .slice(0, at)
      .map((before, index) => statement`${column(before.name)} = ${values[index] ?? ""}`);
    const sign = raw(isDescending ? "<" : ">");
    const beyond = statement`${column(name)} ${sign} ${values[at] ?? ""}`;
    return statement`(${join([...equal, beyond], " and ")})`;
  });
  return statement`(${join(steps, " or ")})`;
}

const filteredColumns = Object.fromEntries(
  memberFields.map((field) => [
    field,
    { kind: "text" as const, expression: column(memberColumns[field]) },
  ]),
);

function memberFilter(listing: MemberListing): Statement {
  const { workspaceId, where, search = "" } = listing;
  const conditions: Statement[] = [
    statement`members.workspace_id = ${workspaceId}`,
    compileColumns(where, filteredColumns),
  ];
  if (search !== "") {
    conditions.push(textContains(raw("members.search_text"), searchable(search)));
  }
  return join(conditions, " and ");
}

export async function listMembers(reader: Reader, listing: MemberListing): Promise<MemberRow[]> {
  const { after, limit, offset } = listing;
  const order = orderOf(listing);
  const position = after === undefined ? raw("true") : isAfter(order, after);
  const sorted = order.map(({ name, isDescending }) =>
    raw(`members.${name} ${isDescending ? "desc" : "asc"}`),
  );
  const bounds = statement`where ${memberFilter(listing)} and ${position}
    order by ${join(sorted)} limit ${limit} offset ${offset}`;
  // An index alone has the keys of the members before a later page.
  const page =
    offset === 0
      ? statement`select members.* from members ${bounds}`
      : statement`select members.* from (select members.id from members ${bounds}) as keys
          join members on members.workspace_id = ${listing.workspaceId} and members.id = keys.id`;
  return reader.all<MemberRow>(statement`${pagedMembers(page)} order by ${join(sorted)}`);
}

export async function countMembers(reader: Reader, listing: MemberListing): Promise<number> {
  return countRows(reader, statement`from members where ${memberFilter(listing)}`);
}
