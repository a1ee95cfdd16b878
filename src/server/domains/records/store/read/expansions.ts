import type { Reader } from "../../../../database/database.ts";
import { isOneOf } from "../../../../database/dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { Condition } from "../../../../database/where/condition.ts";
import { idOrder, isOneOfRecords } from "../record-numbers.ts";
import type { StoredRecord } from "../record-types.ts";
import type { ReadableType } from "../../../object-types/service.ts";
import { viewsOf } from "./field-views.ts";
import type { TypeSource } from "./list-plan.ts";
import { memberNames, textOf, type NamedMembers } from "./projection.ts";
import { matching } from "./scans.ts";

/** A record; `data` is null where the records before it have used up the bytes. */
export type BoundedRecord = Omit<StoredRecord, "data"> & { readonly data: string | null };

export interface ReferringRecord extends BoundedRecord {
  /** The id of the record that it refers to. */
  readonly target: string;
  /** The number of all records that refer to the target. */
  readonly total: number | string;
}

/** A type whose records are read, by what the caller may read of it. */
type ReadSource = Pick<ReadableType, "workspaceId" | "number" | "isPartial"> & NamedMembers;

/** Bytes of the data that the caller may read: hidden fields count for nothing. */
function sizeOf(types: readonly ReadSource[]): Statement {
  const whole = byDialect({
    sqlite: raw("length(resources.data)"),
    postgresql: raw("octet_length(resources.data::text)"),
  });
  return byType(types, whole, (text) =>
    byDialect({
      sqlite: statement`length(cast(${text} as blob))`,
      postgresql: statement`octet_length(${text})`,
    }),
  );
}

function dataOf(types: readonly ReadSource[]): Statement {
  const whole = byDialect({
    sqlite: raw("json(resources.data)"),
    postgresql: raw("resources.data::text"),
  });
  return byType(types, whole, (text) => text);
}

function byType(
  types: readonly ReadSource[],
  whole: Statement,
  partial: (text: Statement) => Statement,
): Statement {
  const cases = types
    .filter(({ isPartial }) => isPartial)
    .map((type) => {
      const text = partial(textOf(memberNames(type)));
      return statement` when ${raw(String(type.number))} then ${text}`;
    });
  if (cases.length === 0) return whole;
  return statement`(case resources.type_number${join(cases, "")} else ${whole} end)`;
}

const ownColumns: Statement = raw(
  "resources.id, resources.version, resources.data, resources.created_at, " +
    "resources.updated_at, resources.created_by, resources.updated_by",
);

/** The columns of a record whose data are read up to a number of bytes in all. */
function boundedColumns(types: readonly ReadSource[], bytes: number): Statement {
  return statement`resources.id, resources.version, resources.created_at, resources.updated_at,
    resources.created_by, resources.updated_by,
    (case when resources.bytes <= ${bytes} then ${dataOf(types)} end) as data`;
}

/** The records of these types of one workspace with these ids, in one statement. */
export function recordsWithin(
  reader: Reader,
  workspaceId: string,
  types: readonly ReadSource[],
  ids: readonly string[],
  bytes: number,
): Promise<(BoundedRecord & { readonly type_number: number })[]> {
  const wanted = statement`resources.workspace_id = ${workspaceId}
    and resources.type_number in (${join(types.map(({ number }) => number))}) and ${isOneOfRecords(ids)}`;
  return reader.all(
    byDialect({
      sqlite: statement`select ${boundedColumns(types, bytes)}, resources.type_number
        from (select ${ownColumns}, resources.type_number,
          sum(${sizeOf(types)}) over (order by resources.id) as bytes
          from resources where ${wanted}) as resources`,
      // The text of a record is made once: the offset keeps the planner from making it twice.
      postgresql: statement`select id, version, created_at, updated_at, created_by, updated_by,
          (case when bytes <= ${bytes} then data end) as data, type_number
        from (select *, sum(octet_length(data)) over (order by id) as bytes
          from (select resources.id, resources.version, resources.created_at, resources.updated_at,
              resources.created_by, resources.updated_by, resources.type_number,
              ${dataOf(types)} as data
            from resources where ${wanted} offset 0) as texts) as resources`,
    }),
  );
}

/** A property whose values are ids of records. */
export interface ReferringProperty {
  readonly type: TypeSource & ReadSource;
  readonly name: string;
  /** True if a value is, or may be, a list of ids. */
  readonly isList: boolean;
  /** Passes the records that refer to one of the targets. */
  readonly condition: Condition | undefined;
}

/**
 * The newest records that refer to each of these targets, at most `limit` for each, in one
 * statement. It reads the data of no other records.
 */
export function referringRecords(
  reader: Reader,
  { type, name, isList, condition }: ReferringProperty,
  targets: readonly string[],
  { limit, bytes }: { readonly limit: number; readonly bytes: number },
): Promise<ReferringRecord[]> {
  const { json, text } = viewsOf(type, name);
  const key = isList ? json : text;
  return reader.all<ReferringRecord>(statement`with
    found as (select resources.id as id, ${idOrder} as number, ${key} as refs
      from ${matching(type, condition)}),
    keyed as (${isList ? listed(targets) : single(targets)}),
    numbered as (select number, target, count(*) over (partition by target) as total,
      row_number() over (partition by target order by id desc) as place from keyed)
    select resources.target, resources.total, ${boundedColumns([type], bytes)}
    from (select ${ownColumns}, resources.type_number, numbered.target, numbered.total, numbered.place,
        sum(${sizeOf([type])}) over (order by numbered.target, numbered.place) as bytes
      from numbered join resources on ${idOrder} = numbered.number
      where numbered.place <= ${limit}
        and resources.workspace_id = ${type.workspaceId} and resources.type_number = ${type.number}
      ) as resources
    order by resources.target, resources.place`);
}

function single(targets: readonly string[]): Statement {
  return statement`select id, number, refs as target from found
    where ${isOneOf(raw("refs"), targets)}`;
}

/** A list may name a target more than once. */
function listed(targets: readonly string[]): Statement {
  const isTarget = isOneOf(raw("item.value"), targets);
  return byDialect({
    sqlite: statement`select distinct found.id, found.number, item.value as target
      from found, json_each(found.refs) as item where ${isTarget}`,
    postgresql: statement`select distinct found.id, found.number, item.value as target
      from found cross join lateral jsonb_array_elements_text(
        case when jsonb_typeof(found.refs) = 'array' then found.refs
          else jsonb_build_array(found.refs) end) as item(value)
      where ${isTarget}`,
  });
}
