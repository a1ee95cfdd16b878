import type { Resource } from "#client/index.ts";
import { isJsonObject } from "#lib/json/value.ts";
import type { SortMark } from "../../../kit/table/columns.ts";

/** A list of records as it was left: its filter, order and columns. */
export interface View {
  readonly filter: string;
  readonly sort: SortMark;
  /** The chosen columns; absent for the type's own. */
  readonly columns?: readonly string[] | undefined;
}

export interface NamedView extends View {
  readonly name: string;
}

/** A named view of a list; with its record where all of the workspace have it. */
export interface ShownView extends NamedView {
  readonly record?: Pick<Resource, "id" | "version"> | undefined;
}

/** The views of one type that only this user has. */
export interface OwnViews {
  readonly views: readonly NamedView[];
}

/** Views of one type: those of the user, and those of the workspace. */
export const maximumViews = 20;
const maximumName = 40;
const maximumFilter = 1_000;
const maximumColumns = 40;

/** The tab of the list without a view. */
export const allName = "all";

/** The problem of a name for a view. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === allName) return `${allName} is the list without a view`;
  return name.length > maximumName ? `at most ${maximumName} characters` : undefined;
}

function isText(value: unknown, maximum: number): value is string {
  return typeof value === "string" && value.length <= maximum;
}

/** The columns of a stored view; `undefined` for the type's own. */
function columnsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.filter((each) => isText(each, 128)).slice(0, maximumColumns);
  return names.length === 0 ? undefined : names;
}

/** A view as any program may have written it; `undefined` where it is none. */
export function readView(value: unknown): NamedView | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, filter = "", sort = "-created_at", columns } = value;
  if (!isText(name, maximumName) || name.trim() === "" || name === allName) return undefined;
  if (!isText(filter, maximumFilter) || !isText(sort, 128) || sort === "") return undefined;
  const descending = sort.startsWith("-");
  const id = descending ? sort.slice(1) : sort;
  return { name, filter, sort: { id, descending }, columns: columnsOf(columns) };
}

/** A view as it is stored. */
export function viewData({ name, filter, sort, columns }: NamedView) {
  const order = `${sort.descending ? "-" : ""}${sort.id}`;
  return { name, filter, sort: order, ...(columns === undefined ? {} : { columns: [...columns] }) };
}

/** The stored views of a user, without what does not fit. */
export function readOwnViews(value: unknown): readonly NamedView[] {
  const all = isJsonObject(value) && Array.isArray(value["views"]) ? value["views"] : [];
  return all.slice(0, maximumViews).flatMap((each) => readView(each) ?? []);
}

function textOf({ filter, sort, columns }: View): string {
  return JSON.stringify([filter.trim(), sort.id, sort.descending, columns ?? null]);
}

export function isSameView(one: View, other: View): boolean {
  return textOf(one) === textOf(other);
}

/** The views with this one, in place of one with its name. */
export function withView(views: readonly NamedView[], view: NamedView): readonly NamedView[] {
  const others = views.filter(({ name }) => name !== view.name);
  return [...others, view].slice(-maximumViews);
}

/** All views by name; one of the workspace comes before one of the user with the same name. */
export function allViews(
  own: readonly NamedView[],
  shared: readonly ShownView[],
): readonly ShownView[] {
  const names = new Set(shared.map(({ name }) => name));
  const all = [...shared, ...own.filter(({ name }) => !names.has(name))];
  return all.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The views of the workspace among the records that keep them. */
export function sharedViews(records: readonly Resource[]): readonly ShownView[] {
  return records.flatMap(({ id, version, data }) => {
    const view = readView(data);
    return view === undefined ? [] : [{ ...view, record: { id, version } }];
  });
}

/** The definition of the type whose records are the views of a workspace. */
export function viewTypeDefinition(slug: string) {
  return {
    name: "DashboardView",
    slug,
    displayName: "Dashboard view",
    description: "A named view of a list of records, which all of the workspace have as a tab",
    properties: {
      name: { type: "string", required: true, maxLength: maximumName },
      objectType: { type: "string", required: true, indexed: true, maxLength: 128 },
      filter: { type: "string", maxLength: maximumFilter },
      sort: { type: "string", maxLength: 128 },
      columns: { type: "array", items: { type: "string" } },
    },
  } as const;
}
