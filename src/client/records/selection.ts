import { catalogError } from "#contract/errors.ts";
import type { Collation } from "#contract/resources/reads/collation.ts";
import type { JsonObject } from "#contract/values.ts";

/** The names of a record's properties. */
export type FieldName<Data> = Extract<keyof Data, string>;

/** The properties that a read has named; all of them if it names none. */
export type PartOf<Data, Name extends FieldName<Data>> =
  FieldName<Data> extends Name ? Data : Pick<Data, Name>;

/** The parts of records that a read returns. */
export interface SelectionOptions<Name extends string = string> {
  /** Top-level properties of the data (default: all); the result has their types only. */
  readonly fields?: readonly Name[] | undefined;
  /**
   * References and link types to follow, e.g. `officer`, and references to the record, e.g.
   * `inspection.site`; the records are in `expanded`. E203 on a platform that cannot expand.
   */
  readonly expand?: readonly string[] | undefined;
}

/** The order of the texts of records. */
export interface OrderOptions {
  /** Texts in `sort` as people read them (`text`, the platform's default) or by code points. */
  readonly collation?: Collation | undefined;
}

/** `fields` and `expand` as they are sent. */
export function selectionInput({ fields, expand }: SelectionOptions) {
  return {
    fields: fields === undefined || fields.length === 0 ? undefined : fields.join(","),
    expand: expand === undefined || expand.length === 0 ? undefined : expand.join(","),
  };
}

/** The options of a call, and what it selects. */
export function splitSelection<Name extends string, Options extends SelectionOptions<Name>>({
  fields,
  expand,
  ...call
}: Options & SelectionOptions<Name>): {
  readonly selection: SelectionOptions<Name>;
  readonly call: Omit<Options, keyof SelectionOptions>;
} {
  return { selection: { fields, expand }, call };
}

/** A list with the parts of its items; the list itself where nothing is selected. */
export function selectedItems<
  Name extends string,
  Item extends { readonly data: JsonObject; readonly expanded?: unknown },
  Body extends { readonly [Key in Name]: Item[] },
>(body: Body, name: Name, selection: SelectionOptions): Body {
  if (selection.fields === undefined && selection.expand === undefined) return body;
  return { ...body, [name]: body[name].map((item) => selectedPart(item, selection)) };
}

/**
 * A record as it was requested. A platform that does not know `fields` sends the whole data, of
 * which the others are left out here.
 */
export function selectedPart<
  Item extends { readonly data: JsonObject; readonly expanded?: unknown },
>(item: Item, { fields, expand }: SelectionOptions): Item {
  if (expand !== undefined && expand.length > 0 && item.expanded === undefined) {
    throw catalogError("E203", {
      details: `the platform cannot expand records (${expand.join(", ")}): read them by their ids`,
    });
  }
  if (fields === undefined || fields.length === 0) return item;
  const isInclusive = fields[0]?.startsWith("-") !== true;
  const names = new Set(isInclusive ? fields : fields.map((name) => name.slice(1)));
  const entries = Object.entries(item.data);
  const named = entries.filter(([name]) => names.has(name) === isInclusive);
  return named.length === entries.length ? item : { ...item, data: Object.fromEntries(named) };
}
