import type { Metric } from "#contract/resources/aggregate.ts";
import type { Database } from "../database.ts";
import { byDialect, join, raw, statement, type Statement } from "../database/statement.ts";
import { matching, type TypeSource } from "./list.ts";
import { nodeAt } from "./where/compile.ts";
import type { Condition } from "./where/condition.ts";
import { fieldAt } from "./where/fields.ts";
import { JsonNode } from "./where/json-node.ts";

/** A field's name, or none for a count of records. */
export interface WantedMetric {
  readonly op: Metric["op"];
  readonly field: string | undefined;
}

export interface WantedAggregate {
  readonly type: TypeSource;
  readonly condition: Condition | undefined;
  readonly groupBy: readonly string[];
  readonly metrics: readonly WantedMetric[];
  readonly limit: number;
}

export interface AggregateRow {
  /** What the fields hold, in their order. */
  readonly group: readonly unknown[];
  readonly metrics: readonly (string | number | boolean | null)[];
}

type Row = Readonly<Record<string, unknown>>;

/** Groups with their figures, in the groups' order; runs where it holds nobody up. */
export async function aggregateRecords(
  database: Database,
  { type, condition, groupBy, metrics, limit }: WantedAggregate,
  signal: AbortSignal,
): Promise<AggregateRow[]> {
  const groups = groupBy.map((_, at) => JsonNode.column(`g${at}`));
  const inner = [
    ...groupBy.map((name, at) => statement`${viewsOf(type, name).json} as ${raw(`g${at}`)}`),
    ...metrics.flatMap((metric, at) => metricColumns(type, metric, at)),
  ];
  const places = raw(groupBy.map((_, at) => String(at + 1)).join());
  const query = statement`select ${join([
    ...groupBy.map((_, at) => groupText(`g${at}`)),
    ...metrics.flatMap(({ op }, at) => partsOf[op].map((part) => raw(`m${at}${part}`))),
  ])} from (select ${join(inner)} from ${matching(type, condition)}
    ${groupBy.length === 0 ? raw("") : statement`group by ${places}`}) as grouped
    ${groups.length === 0 ? raw("") : statement`order by ${join(groups.flatMap(orderOf))}`}
    limit ${limit}`;
  const rows = await database.scan.with({ signal }).all<Row>(query);
  return rows.map((row) => ({
    group: groupBy.map((_, at) => {
      const text = row[`g${at}`];
      return typeof text === "string" ? (JSON.parse(text) as unknown) : null;
    }),
    metrics: metrics.map(({ op }, at) => metricOf(op, row, at)),
  }));
}

/** A field's value seen as each kind of value; null where it is of another. */
interface Views {
  readonly json: Statement;
  readonly decimal: Statement;
  readonly number: Statement;
  readonly text: Statement;
  readonly flag: Statement;
}

const nothing = {
  number: raw("cast(null as double precision)"),
  text: raw("cast(null as text)"),
  flag: raw("cast(null as integer)"),
};

function viewsOf(type: TypeSource, name: string): Views {
  const field = fieldAt(type, name.split("."));
  if (field.kind !== "column") {
    const node = nodeAt(field.path);
    return {
      json: node.asJson(),
      decimal: node.asDecimal(),
      number: node.asNumber(),
      text: node.asText(),
      flag: node.asFlag(),
    };
  }
  const column: Statement = raw(`resources.${field.column}`);
  const json = byDialect({
    sqlite: statement`json_quote(${column})`,
    postgresql: statement`to_jsonb(${column})`,
  });
  return field.valueKind === "number"
    ? { ...nothing, json, decimal: column, number: column }
    : { ...nothing, json, decimal: nothing.number, text: column };
}

/** The columns that a metric is made of: `m0`, or `m0n`, `m0t` … */
const partsOf: Readonly<Record<Metric["op"], readonly string[]>> = {
  count: [""],
  count_distinct: [""],
  sum: ["s", "c"],
  avg: ["s", "c"],
  min: ["n", "t", "f"],
  max: ["n", "t", "f"],
};

function metricColumns(type: TypeSource, { op, field }: WantedMetric, at: number): Statement[] {
  const named = (expression: Statement, part = ""): Statement =>
    statement`${expression} as ${raw(`m${at}${part}`)}`;
  if (field === undefined) return [named(raw("count(*)"))];
  const views = viewsOf(type, field);
  switch (op) {
    case "count":
      return [named(statement`count(${views.json})`)];
    case "count_distinct":
      return [named(statement`count(distinct ${views.json})`)];
    case "sum":
    case "avg":
      return [named(sumOf(views.decimal), "s"), named(statement`count(${views.number})`, "c")];
    case "min":
    case "max": {
      const call = raw(op);
      return [
        named(statement`${call}(${views.number})`, "n"),
        named(statement`${call}(${views.text})`, "t"),
        named(statement`${call}(${views.flag})`, "f"),
      ];
    }
  }
}

/** Null where the sum is beyond a double. */
function sumOf(decimal: Statement): Statement {
  return byDialect({
    sqlite: statement`sum(${decimal})`,
    postgresql: statement`(case when abs(sum(${decimal})) <= 1.7976931348623157e308
      then sum(${decimal}) end)::double precision`,
  });
}

function groupText(name: string): Statement {
  return byDialect({ sqlite: raw(name), postgresql: raw(`${name}::text as ${name}`) });
}

/** MongoDB's order of kinds, and inside a kind the order of its values. */
function orderOf(node: JsonNode): Statement[] {
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
      // Nothing to sum is 0, and has no average, as MongoDB has it.
      if (count === 0) return op === "sum" ? 0 : null;
      if (part("s") === null) return null;
      return stable(Number(part("s")) / (op === "sum" ? 1 : count));
    }
    case "min":
    case "max": {
      const flag = part("f") === null ? null : Number(part("f")) === 1;
      const kinds = [part("n"), part("t"), flag];
      const found = (op === "min" ? kinds : kinds.toReversed()).find((value) => value !== null);
      return typeof found === "string" || typeof found === "boolean"
        ? found
        : typeof found === "number"
          ? found
          : null;
    }
  }
}

/** Fifteen digits are exact whatever was added in which order; so both engines say the same. */
function stable(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
}
