import { pointer, type Fault } from "#contract/problems.ts";
import { compilePattern, patternFlags, PatternError } from "#lib/pattern.ts";
import { isStorable, notStorable } from "#lib/storable-text.ts";
import { isJsonObject } from "#lib/json-value.ts";
import type { Comparison, Condition, FieldTest } from "./condition.ts";
import { waysOf, type FieldSource } from "./fields.ts";
import { GeoFault, parseNear, parseWithin } from "./parse-geo.ts";
import { parseKinds, wantedKinds } from "./parse-kinds.ts";
import { parseRemainder, wantedRemainder } from "./parse-remainder.ts";
import { all, withPath, type PathlessTest } from "./pathless-test.ts";

const whereLimits = {
  /** Levels of operators and operands. */
  depth: 32,
  /** Conditions in all. */
  conditions: 500,
  /** Items of a list operand, `$in` among them. */
  listItems: 1000,
  /** Items of `$all`, each a condition of its own. */
  allItems: 100,
  /** Names in a dotted path. */
  pathNames: 16,
  /**
   * Ways in which a path, and all of a filter's paths together, can be gone: a list may stand before
   * each name that no definition declares, which doubles what the query has to say.
   */
  pathWays: 64,
  ways: 1_024,
  /** Characters of one name in a path. */
  nameCharacters: 128,
  faults: 20,
} as const;

export type ParsedWhere =
  | { readonly condition: Condition | undefined; readonly faults?: undefined }
  | { readonly faults: readonly Fault[] };

type Path = readonly (string | number)[];

/**
 * Reads a filter with the meaning of MongoDB's query language. `base` is where it stands in the
 * request, for the pointers of what is wrong with it; `sources` are the types that it is asked of.
 */
export function parseWhere(
  where: unknown,
  base: Path,
  sources: readonly FieldSource[] = [],
): ParsedWhere {
  const parser = new WhereParser(sources);
  const condition = parser.filter(where, base, 1);
  return parser.faults.length > 0 ? { faults: parser.faults } : { condition };
}

const comparisons: Readonly<Record<string, Comparison>> = {
  $gt: ">",
  $gte: ">=",
  $lt: "<",
  $lte: "<=",
};

/** An unknown operator is answered with these. */
const fieldOperators = [
  ..."$eq $ne $gt $gte $lt $lte $in $nin $exists $regex $options".split(" "),
  ..."$contains $startsWith $all $elemMatch $size $type $mod $not $near $within".split(" "),
];
const groupOperators = ["$and", "$or", "$nor"];

class WhereParser {
  readonly faults: Fault[] = [];
  /** None below `$elemMatch`, where paths begin at an item. */
  #sources: readonly FieldSource[];
  #count = 0;
  #ways = 0;
  /** In how many ways the field can be gone to whose tests are read: each says all of them. */
  #around = 1;

  constructor(sources: readonly FieldSource[]) {
    this.#sources = sources;
  }

  filter(where: unknown, path: Path, depth: number): Condition | undefined {
    if (!this.#mayGoOn(path, depth)) return undefined;
    if (!isJsonObject(where)) return this.#fault(path, "must be an object");
    const conditions: Condition[] = [];
    for (const [name, operand] of Object.entries(where)) {
      const condition = name.startsWith("$")
        ? this.#group(name, operand, [...path, name], depth)
        : this.#field(name, operand, [...path, name], depth);
      if (condition !== undefined) conditions.push(condition);
    }
    return all(conditions);
  }

  #group(name: string, operand: unknown, path: Path, depth: number): Condition | undefined {
    if (!groupOperators.includes(name)) {
      const isField = fieldOperators.includes(name);
      return this.#fault(
        path,
        isField ? "stands beside fields: it belongs under one" : unknownOperator(groupOperators),
      );
    }
    if (!Array.isArray(operand) || operand.length === 0) {
      return this.#fault(path, "must be a list of filters, with at least one");
    }
    if (operand.length > whereLimits.conditions) {
      return this.#fault(path, `has more than ${whereLimits.conditions} filters`);
    }
    const conditions = operand.map(
      (filter: unknown, index): Condition =>
        this.filter(filter, [...path, index], depth + 1) ?? { kind: "and", conditions: [] },
    );
    if (name === "$and") return { kind: "and", conditions };
    const some: Condition = { kind: "or", conditions };
    return name === "$or" ? some : { kind: "not", condition: some };
  }

  #field(name: string, operand: unknown, path: Path, depth: number): Condition | undefined {
    const field = this.#fieldPath(name, path);
    if (field === undefined) return undefined;
    const around = this.#around;
    this.#around *= field.ways;
    const tests = this.#tests(operand, path, depth + 1);
    this.#around = around;
    return all(tests.map((test) => withPath(test, field.names)));
  }

  #fieldPath(
    name: string,
    path: Path,
  ): { readonly names: readonly string[]; readonly ways: number } | undefined {
    const names = name.split(".");
    if (names.length > whereLimits.pathNames) {
      return this.#fault(path, `has more than ${whereLimits.pathNames} names`);
    }
    for (const part of names) {
      // What neither engine's path syntax can carry; no property is named so.
      if (part === "" || part.length > whereLimits.nameCharacters || !isUsableName(part)) {
        return this.#fault(path, "is not a dotted path of names");
      }
      if (part.startsWith("$")) return this.#fault(path, "has an operator in its path");
    }
    const perSource = this.#sources.map((source) => waysOf(source, names));
    const ways = perSource.length === 0 ? waysOf(undefined, names) : Math.max(...perSource);
    this.#ways += ways * this.#around;
    if (ways <= whereLimits.pathWays && this.#ways <= whereLimits.ways) return { names, ways };
    return this.#fault(path, "leads through too many names that no definition declares");
  }

  /** What stands under a field: operators, or a value that it must equal. */
  #tests(operand: unknown, path: Path, depth: number): PathlessTest[] {
    if (!this.#mayGoOn(path, depth)) return [];
    if (!isJsonObject(operand) || !Object.keys(operand).some((name) => name.startsWith("$"))) {
      return this.#isValue(operand, path, depth) ? [{ kind: "equal", value: operand }] : [];
    }
    const tests: PathlessTest[] = [];
    for (const [name, value] of Object.entries(operand)) {
      const test = this.#test(name, value, operand, [...path, name], depth);
      if (test !== undefined) tests.push(test);
    }
    return tests;
  }

  #test(
    name: string,
    value: unknown,
    operand: Record<string, unknown>,
    path: Path,
    depth: number,
  ): PathlessTest | undefined {
    switch (name) {
      case "$eq":
      case "$ne": {
        if (!this.#isValue(value, path, depth)) return undefined;
        const test: FieldTest = { kind: "equal", value };
        return name === "$eq" ? test : { kind: "not", tests: [test] };
      }
      case "$gt":
      case "$gte":
      case "$lt":
      case "$lte":
        return this.#comparison(comparisons[name] ?? "<", value, path);
      case "$in":
      case "$nin": {
        if (!Array.isArray(value)) return this.#fault(path, "must be a list of values");
        if (!this.#isValue(value, path, depth)) return undefined;
        const test: FieldTest = { kind: "in", values: value };
        return name === "$in" ? test : { kind: "not", tests: [test] };
      }
      case "$exists": {
        if (typeof value !== "boolean") return this.#fault(path, "must be true or false");
        return value ? { kind: "exists" } : { kind: "not", tests: [{ kind: "exists" }] };
      }
      case "$regex":
        return this.#pattern(value, operand["$options"], path);
      case "$options":
        return "$regex" in operand ? undefined : this.#fault(path, "needs $regex beside it");
      case "$contains":
      case "$startsWith": {
        if (typeof value !== "string") return this.#fault(path, "must be text");
        if (!isStorable(value)) return this.#fault(path, notStorable);
        return { kind: name === "$contains" ? "contains" : "starts-with", text: value };
      }
      case "$not": {
        if (!isJsonObject(value) || !Object.keys(value).some((key) => key.startsWith("$"))) {
          return this.#fault(path, "must be an object with operators");
        }
        return { kind: "not", tests: this.#tests(value, path, depth + 1) };
      }
      case "$all":
        return this.#all(value, path, depth);
      case "$elemMatch":
        return this.#element(value, path, depth);
      case "$size":
        return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
          ? { kind: "size", length: value }
          : this.#fault(path, "must be an integer, not less than 0");
      case "$type": {
        const kinds = parseKinds(value);
        return kinds === undefined ? this.#fault(path, wantedKinds) : { kind: "type", kinds };
      }
      case "$mod":
        return parseRemainder(value) ?? this.#fault(path, wantedRemainder);
      case "$near":
      case "$within":
        return this.#geo(name, value, path);
      default:
        return this.#fault(path, unknownOperator(fieldOperators));
    }
  }

  /** Every value is in the list, or passes an item of it where it is an `$elemMatch`. */
  #all(values: unknown, path: Path, depth: number): PathlessTest | undefined {
    if (!Array.isArray(values)) return this.#fault(path, "must be a list of values");
    if (values.length > whereLimits.allItems) {
      return this.#fault(path, `has more than ${whereLimits.allItems} items`);
    }
    this.#ways += this.#around * values.length;
    if (this.#ways > whereLimits.ways) return this.#fault(path, "has too many items for its field");
    const tests = values.flatMap((value: unknown, index): PathlessTest[] => {
      const here = [...path, index];
      if (isJsonObject(value) && Object.keys(value).join() === "$elemMatch") {
        const test = this.#element(value["$elemMatch"], [...here, "$elemMatch"], depth + 1);
        return test === undefined ? [] : [test];
      }
      return this.#isValue(value, here, depth + 1) ? [{ kind: "equal", value }] : [];
    });
    return { kind: "all", tests };
  }

  /** Operators are asked of an item itself, names of the members of an object. */
  #element(value: unknown, path: Path, depth: number): FieldTest | undefined {
    if (!isJsonObject(value)) return this.#fault(path, "must be an object");
    const isObjectAsked = !Object.keys(value).some(
      (name) => name.startsWith("$") && !groupOperators.includes(name),
    );
    const sources = this.#sources;
    this.#sources = [];
    const condition = isObjectAsked
      ? this.filter(value, path, depth + 1)
      : all(this.#tests(value, path, depth + 1).map((test) => withPath(test, [])));
    this.#sources = sources;
    return {
      kind: "element",
      condition: condition ?? { kind: "and", conditions: [] },
      isObject: isObjectAsked,
    };
  }

  #comparison(operator: Comparison, value: unknown, path: Path): PathlessTest | undefined {
    if (typeof value === "number" && !Number.isFinite(value)) {
      return this.#fault(path, "is a number out of range");
    }
    switch (typeof value) {
      case "string":
        if (!isStorable(value)) return this.#fault(path, notStorable);
        return { kind: "compare", operator, value };
      case "number":
      case "boolean":
        return { kind: "compare", operator, value };
      default:
        if (value === null) return { kind: "compare", operator, value };
        return this.#fault(path, "must be text, a number, true, false or null");
    }
  }

  #pattern(source: unknown, options: unknown, path: Path): PathlessTest | undefined {
    if (typeof source !== "string") return this.#fault(path, "must be text");
    if (!isStorable(source)) return this.#fault(path, notStorable);
    const flags = options ?? "";
    if (typeof flags !== "string" || new RegExp(`[^${patternFlags}]`).test(flags)) {
      return this.#fault(
        [...path.slice(0, -1), "$options"],
        `must be letters of "${patternFlags}"`,
      );
    }
    try {
      compilePattern(source, flags);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return this.#fault(path, error.message);
    }
    return { kind: "pattern", source, flags };
  }

  #geo(name: "$near" | "$within", value: unknown, path: Path): PathlessTest | undefined {
    try {
      return name === "$near"
        ? { kind: "near", near: parseNear(value) }
        : { kind: "within", area: parseWithin(value) };
    } catch (error) {
      if (!(error instanceof GeoFault)) throw error;
      return this.#fault(path, error.message);
    }
  }

  /** Whether an operand is a plain value that both engines can compare with. */
  #isValue(value: unknown, path: Path, depth: number): boolean {
    if (typeof value === "number" && !Number.isFinite(value)) {
      this.#fault(path, "is a number out of range");
      return false;
    }
    if (typeof value === "string" && !isStorable(value)) {
      this.#fault(path, notStorable);
      return false;
    }
    if (typeof value !== "object" || value === null) return true;
    if (!this.#mayGoOn(path, depth)) return false;
    if (Array.isArray(value)) {
      if (value.length > whereLimits.listItems) {
        this.#fault(path, `has more than ${whereLimits.listItems} items`);
        return false;
      }
      return value.every((item: unknown, index) =>
        this.#isValue(item, [...path, index], depth + 1),
      );
    }
    return Object.entries(value).every(([name, member]) => {
      if (!name.startsWith("$") && isUsableName(name)) {
        return this.#isValue(member, [...path, name], depth + 1);
      }
      this.#fault([...path, name], "is not a usable name in a value");
      return false;
    });
  }

  #mayGoOn(path: Path, depth: number): boolean {
    if (depth > whereLimits.depth) {
      this.#fault(path.slice(0, 8), `nests deeper than ${whereLimits.depth} levels`);
      return false;
    }
    this.#count += 1;
    if (this.#count > whereLimits.conditions) {
      if (this.#count === whereLimits.conditions + 1) {
        this.#fault(path, `is beyond the limit of ${whereLimits.conditions} conditions`);
      }
      return false;
    }
    return this.faults.length < whereLimits.faults;
  }

  #fault(path: Path, detail: string): undefined {
    if (this.faults.length < whereLimits.faults) {
      this.faults.push({ pointer: pointer(...path), detail });
    }
    return undefined;
  }
}

function unknownOperator(known: readonly string[]): string {
  return `is not a known operator: there are ${known.join(", ")}`;
}

/** Neither engine's path syntax carries quotes or backslashes in a name. */
function isUsableName(name: string): boolean {
  return !/["\\\p{Cc}]/u.test(name) && name.isWellFormed();
}
