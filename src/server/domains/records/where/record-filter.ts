import { invalid } from "../../../kit/faults.ts";
import type { Condition } from "../../../database/where/condition.ts";
import {
  parseFilter,
  isUsableName,
  type ParsedWhere,
} from "../../../database/where/parse-filter.ts";
import type { WhereLimits } from "../../../database/where/filter-rules.ts";
import {
  branchesOf,
  isProperty,
  notAProperty,
  type FieldSource,
} from "../../../fields/path-fields.ts";

const limits: WhereLimits = { depth: 32, parts: 500, listItems: 1000, faults: 20 };
const maximumNames = 16;
const maximumNameCharacters = 128;

const operators = [
  ..."$eq $ne $gt $gte $lt $lte $in $nin $exists $regex $options".split(" "),
  ..."$contains $startsWith $all $elemMatch $size $type $mod $not".split(" "),
  ..."$near $within $geoWithin $geoIntersects".split(" "),
];
const groups = ["$and", "$or", "$nor"];

/**
 * MongoDB's query language. `base` begins every pointer; `sources` are the filtered types, one of
 * which must have each property.
 */
export function parseWhere(
  where: unknown,
  base: readonly (string | number)[],
  sources: readonly FieldSource[] = [],
): ParsedWhere {
  return parseFilter(where, base, {
    operators,
    groups,
    limits,
    field(name, isInItem) {
      const path = name.split(".");
      const fault = pathFault(path);
      if (fault !== undefined) return fault;
      const isOfTypes = !isInItem && sources.length > 0;
      if (isOfTypes && !sources.some((source) => isProperty(source, path))) {
        return notAProperty(name);
      }
      const declaring = isOfTypes ? sources : [undefined];
      return { path, branches: Math.max(...declaring.map((source) => branchesOf(source, path))) };
    },
  });
}

/** The condition of a filter; refuses 422 with a pointer to each fault. */
export function requireCondition(
  where: unknown,
  base: readonly (string | number)[],
  sources: readonly FieldSource[],
): Condition | undefined {
  const parsed = parseWhere(where, base, sources);
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  return parsed.condition;
}

function pathFault(path: readonly string[]): string | undefined {
  if (path.length > maximumNames) return `has more than ${maximumNames} names`;
  for (const name of path) {
    if (name === "" || name.length > maximumNameCharacters || !isUsableName(name)) {
      return "is not a dotted path of names";
    }
    if (name.startsWith("$")) return "has an operator in its path";
  }
  return undefined;
}
