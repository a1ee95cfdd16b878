import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { indexableTypes, isMixed } from "#contract/object-types/definition.ts";
import type { Fault } from "#contract/problems.ts";
import { systemFields } from "#contract/shared-names.ts";
import type { AggregateAnswer, Aggregation, Metric } from "#contract/resources/reads/aggregate.ts";
import { defaultAggregateLimit } from "#contract/limits.ts";
import { ownMember } from "#lib/own-member.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { Work } from "../../../work/work.ts";
import { aggregateRecords } from "../store/read/aggregate-groups.ts";
import { type ReadableType } from "../../object-types/service.ts";
import { isNumeric } from "../../../fields/slots.ts";
import { notAProperty } from "../../../fields/path-fields.ts";
import { parseWhere } from "../where/record-filter.ts";
import type { SlowFilters } from "./slow-filters.ts";

/** Metrics of a type's records in groups (spec 4.2). */
export async function aggregateOf(
  work: Work,
  slowFilters: SlowFilters,
  type: ReadableType,
  aggregation: Aggregation,
  signal: AbortSignal,
): Promise<AggregateAnswer> {
  const { groupBy, where, limit = defaultAggregateLimit } = aggregation;
  const metrics = Object.entries(aggregation.metrics);
  const parsed = parseWhere(where ?? {}, ["where"], [type]);
  const faults = [...fieldFaults(type, groupBy, metrics), ...(parsed.faults ?? [])];
  if (parsed.faults !== undefined || faults.length > 0) throw invalid(faults);
  const { condition } = parsed;
  const rows = await slowFilters.watch(type, { condition, keys: [] }, () =>
    aggregateRecords(
      work,
      {
        type,
        condition,
        groupBy,
        metrics: metrics.map(([, { op, field }]) => ({ op, field })),
        limit: limit + 1,
      },
      signal,
    ),
  );
  return {
    rows: rows.slice(0, limit).map((row) => ({
      group: Object.fromEntries(groupBy.map((name, at) => [name, row.group[at]])),
      metrics: Object.fromEntries(metrics.map(([name], at) => [name, row.metrics[at]])),
    })),
    truncated: rows.length > limit,
  };
}

/** Why a field has no distinct values; undefined where it has. */
export function distinctFault(type: ReadableType, name: string): string | undefined {
  return faultOf(type, name, ({ items, ...property }) =>
    property.type === "array" && items !== undefined
      ? canGroup(items)
      : canGroup({ ...property, items }),
  );
}

/** Why a field has no such metric; undefined where it has. */
export function metricFault(
  type: ReadableType,
  name: string,
  op: Metric["op"],
): string | undefined {
  return faultOf(type, name, (property) => canMeasure(op, property));
}

/** True if the values of a field are, or may be, lists. */
export function isListAt(type: ReadableType, name: string): boolean {
  let isList = type.mayHoldLists.has(name.split(".")[0] ?? "");
  faultOf(type, name, (property) => {
    isList ||= property.type === "array";
    return undefined;
  });
  return isList;
}

function fieldFaults(
  type: ReadableType,
  groupBy: readonly string[],
  metrics: readonly (readonly [string, Metric])[],
): Fault[] {
  const groupFaults = groupBy.map((name, index) => {
    const fault = faultOf(type, name, canGroup);
    return fault === undefined ? [] : [faultAt("body", ["groupBy", index], fault)];
  });
  const metricFaults = metrics.map(([name, { op, field }]) => {
    const fault =
      field === undefined
        ? undefined
        : faultOf(type, field, (property) => canMeasure(op, property));
    return fault === undefined ? [] : [faultAt("body", ["metrics", name, "field"], fault)];
  });
  return [...groupFaults, ...metricFaults].flat();
}

function faultOf(
  type: ReadableType,
  name: string,
  check: (property: PropertyDefinition) => string | undefined,
): string | undefined {
  const [first = "", ...rest] = name.split(".");
  if (rest.length === 0 && (systemFields as readonly string[]).includes(first)) {
    return check({ type: first === "version" ? "integer" : "string" });
  }
  const isPrefixed = first === "data" && rest.length > 0 && !Object.hasOwn(type.properties, "data");
  const path = isPrefixed ? rest : [first, ...rest];
  let property = propertyOf(type, path[0] ?? "");
  for (const [depth, step] of path.entries()) {
    if (property === undefined) return notAProperty(name);
    const next = path[depth + 1];
    if (next === undefined) return check(property);
    if (property.type === "array") return `leads through the list "${step}"`;
    if (property.type !== "object") return notAProperty(name);
    // An object without declared members may hold anything.
    if (property.properties === undefined) return undefined;
    property = ownMember(property.properties, next);
  }
  return undefined;
}

function propertyOf(type: ReadableType, name: string): PropertyDefinition | undefined {
  const property = ownMember(type.properties, name);
  if (property !== undefined) return property;
  const link = type.linkTypes.find((one) => one.name === name);
  if (link === undefined) return undefined;
  const one = { type: "reference", targetObjectType: link.targetObjectType } as const;
  return link.cardinality === "one" ? one : { type: "array", items: one };
}

function canGroup(property: PropertyDefinition): string | undefined {
  return property.type === "array" || indexableTypes.has(property.type)
    ? undefined
    : `is of the type ${property.type}: group by one of its members`;
}

function canMeasure(op: Metric["op"], property: PropertyDefinition): string | undefined {
  if (op === "count" || op === "count_distinct" || isMixed(property.enum)) return undefined;
  if (op === "sum" || op === "avg") return isNumeric(property) ? undefined : "is not a number";
  return indexableTypes.has(property.type) ? undefined : "has no order: it is not one plain value";
}
