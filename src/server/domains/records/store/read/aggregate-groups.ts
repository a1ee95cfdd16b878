import type { Metric } from "#contract/resources/reads/aggregate.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../../database/statement.ts";
import { viewsOf, type FieldViews } from "./field-views.ts";
import type { TypeSource } from "./list-plan.ts";
import { matching, matchingBySlot, scannerOf, type Readers } from "./scans.ts";
import { slotColumn } from "../../../../fields/slots.ts";
import { missingMark } from "../../where/compile-where.ts";
import type { Condition } from "../../../../database/where/condition.ts";
import { JsonNode } from "../../../../database/where/json-node.ts";

/** A field's name; undefined for a count of records. */
export interface SelectedMetric {
  readonly op: Metric["op"];
  readonly field: string | undefined;
}

export interface AggregateSelection {
  readonly type: TypeSource;
  readonly condition: Condition | undefined;
  readonly groupBy: readonly string[];
  readonly metrics: readonly SelectedMetric[];
  readonly limit: number;
}

export interface AggregateRow {
  /** The values of the group's fields, in their order. */
  readonly group: readonly unknown[];
  readonly metrics: readonly (string | number | boolean | null)[];
}

type Row = Readonly<Record<string, unknown>>;

/** Groups with their metrics, in the groups' order, read by the scan pool. */
export async function aggregateRecords(
  readers: Pick<Readers, "scan">,
  selection: AggregateSelection,
  signal: AbortSignal,
): Promise<AggregateRow[]> {
  const { groupBy, metrics, limit } = selection;
  const groups = groupBy.map((_, at) => JsonNode.column(`g${at}`));
  const query = statement`select ${join([
    ...groupBy.map((_, at) => groupText(`g${at}`)),
    ...metrics.flatMap(({ op }, at) => partsOf[op].map((part) => raw(`m${at}${part}`))),
  ])} from (${grouped(selection)}) as grouped
    ${groups.length === 0 ? raw("") : statement`order by ${join(groups.flatMap(orderOf))}`}
    limit ${limit}`;
  const rows = await scannerOf(readers, selection.type, { signal }).all<Row>(query);
  return rows.map((row) => ({
    group: groupBy.map((_, at) => {
      const text = row[`g${at}`];
      return typeof text === "string" ? (JSON.parse(text) as unknown) : null;
    }),
    metrics: metrics.map(({ op }, at) => metricOf(op, row, at)),
  }));
}

/** One row per group: `g0` … as JSON, and the parts of the metrics. */
export function grouped(selection: AggregateSelection): Statement {
  const { type, condition, groupBy } = selection;
  const [only, second] = groupBy.map((name) => viewsOf(type, name));
  const indexed = second === undefined ? only?.indexed : undefined;
  const bySlot = matchingBySlot(type, condition, indexed?.slot);
  if (indexed === undefined || bySlot === undefined) {
    return groupedByValues(selection, matching(type, condition));
  }
  // The index is sorted by group, so nothing is sorted and often no row is read.
  const { slot, json } = indexed;
  const column = raw(`resources.${slotColumn(slot)}`);
  const figures = figuresOf(selection, (at, view) => viewOfMetric(selection, at)[view]);
  return statement`select ${join([statement`${json} as g0`, ...figures])}
    from ${bySlot} and ${column} > ${missingMark(slot)} group by ${column}
    union all ${groupedByValues(selection, statement`${bySlot} and ${column} = ${missingMark(slot)}`)}`;
}

/** Values are extracted before sorting; SQLite would sort whole records instead. */
function groupedByValues(selection: AggregateSelection, source: Statement): Statement {
  const { type, groupBy, metrics } = selection;
  const keys = groupBy.map((name, at) => groupColumns(viewsOf(type, name), at));
  const values = metrics.flatMap(({ op, field }, at) =>
    field === undefined
      ? []
      : inputsOf[op].map(
          (view) => statement`${viewOfMetric(selection, at)[view]} as ${input(at, view)}`,
        ),
  );
  const names = keys.map(({ name }) => name);
  const selected = [...keys.flatMap(({ columns }) => columns), ...values];
  return statement`select ${join([...keys.map(({ shown }) => shown), ...figuresOf(selection, input)])}
    from (select ${selected.length === 0 ? raw("1") : join(selected)} from ${source}
      ${byDialect({ sqlite: raw("limit -1"), postgresql: raw("") })}) as looked
    ${names.length === 0 ? raw("") : statement`group by ${join(names)}`}`;
}

function groupColumns({ json, key }: FieldViews, at: number): GroupColumns {
  const group = raw(`g${at}`);
  const column = statement`${json} as ${group}`;
  if (key === json) return { columns: [column], name: group, shown: group };
  // PostgreSQL groups by the JSON itself. On SQLite one of the equal values represents all.
  const groupKey = raw(`k${at}`);
  return {
    columns: [
      column,
      statement`${byDialect({ sqlite: key, postgresql: raw("cast(null as text)") })} as ${groupKey}`,
    ],
    name: byDialect({ sqlite: groupKey, postgresql: group }),
    shown: byDialect({ sqlite: statement`min(${group}) as ${group}`, postgresql: group }),
  };
}

interface GroupColumns {
  readonly columns: readonly Statement[];
  readonly name: Statement;
  readonly shown: Statement;
}

function input(at: number, view: View): Statement {
  return raw(`v${at}${view}`);
}

type View = "json" | "key" | "decimal" | "number" | "text" | "flag";

const inputsOf: Readonly<Record<Metric["op"], readonly View[]>> = {
  count: ["json"],
  count_distinct: ["key"],
  sum: ["decimal"],
  avg: ["decimal"],
  min: ["number", "text", "flag"],
  max: ["number", "text", "flag"],
};

/** The columns that a metric consists of: `m0`, or `m0n`, `m0t` … */
const partsOf: Readonly<Record<Metric["op"], readonly string[]>> = {
  count: [""],
  count_distinct: [""],
  sum: ["s", "c"],
  avg: ["s", "c"],
  min: ["n", "t", "f"],
  max: ["n", "t", "f"],
};

function viewOfMetric({ type, metrics }: AggregateSelection, at: number): FieldViews {
  return viewsOf(type, metrics[at]?.field ?? "");
}

function figuresOf(
  { metrics }: AggregateSelection,
  value: (at: number, view: View) => Statement,
): Statement[] {
  return metrics.flatMap(({ op, field }, at) => {
    const named = (expression: Statement, part = ""): Statement =>
      statement`${expression} as ${raw(`m${at}${part}`)}`;
    if (field === undefined) return [named(raw("count(*)"))];
    switch (op) {
      case "count":
        return [named(statement`count(${value(at, "json")})`)];
      case "count_distinct":
        return [named(statement`count(distinct ${value(at, "key")})`)];
      case "sum":
      case "avg": {
        const decimal = value(at, "decimal");
        return [named(sumOf(decimal), "s"), named(statement`count(${decimal})`, "c")];
      }
      case "min":
      case "max":
        return inputsOf[op].map((view, part) =>
          named(statement`${raw(op)}(${value(at, view)})`, partsOf[op][part]),
        );
    }
  });
}

/** Null where the sum exceeds a double. */
function sumOf(decimal: Statement): Statement {
  return byDialect({
    sqlite: statement`sum(${decimal})`,
    postgresql: statement`(case when abs(sum(${decimal})) <= 1.7976931348623157e308
      then sum(${decimal}) end)::double precision`,
  });
}

export function groupText(name: string): Statement {
  return byDialect({ sqlite: raw(name), postgresql: raw(`${name}::text as ${name}`) });
}

/** MongoDB's order of kinds, and of values within a kind. */
export function orderOf(node: JsonNode): Statement[] {
  return [
    statement`case when ${node.is("number")} then 1 when ${node.is("string")} then 2
      when ${node.is("object")} then 3 when ${node.is("array")} then 4
      when ${node.is("boolean")} then 5 else 0 end`,
    node.asNumber(),
    node.asText(),
    node.asFlag(),
    node.asOrderedText(),
  ];
}

function metricOf(op: Metric["op"], row: Row, at: number): string | number | boolean | null {
  const part = (name: string): unknown => row[`m${at}${name}`];
  switch (op) {
    case "count":
    case "count_distinct":
      return Number(part(""));
    case "sum":
    case "avg": {
      const count = Number(part("c"));
      // The sum of nothing is 0 and its average is null, as in MongoDB.
      if (count === 0) return op === "sum" ? 0 : null;
      if (part("s") === null) return null;
      return stable(Number(part("s")) / (op === "sum" ? 1 : count));
    }
    case "min":
    case "max": {
      const flag = part("f") === null ? null : Number(part("f")) === 1;
      const kinds = [part("n"), part("t"), flag];
      const found = (op === "min" ? kinds : kinds.toReversed()).find((value) => value !== null);
      // SQLite returns integers beyond 2^53 exactly; they were doubles in the request.
      if (typeof found === "bigint") return Number(found);
      const isPlain =
        typeof found === "string" || typeof found === "boolean" || typeof found === "number";
      return isPlain ? found : null;
    }
  }
}

/** Fifteen digits do not depend on the order of additions, so both engines agree. */
function stable(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
}
