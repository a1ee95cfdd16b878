import { pointer, type Fault } from "#contract/problems.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { compilePattern, patternFlags, PatternError } from "#lib/pattern.ts";
import { isStorable, notStorable } from "../../kit/storable-text.ts";
import {
  all,
  type ComparableValue,
  type Comparison,
  type Condition,
  type FieldTest,
} from "./condition.ts";
import { GeoFault, parseIntersects, parseNear, parseWithin } from "./parse-geo.ts";
import { kindsFault, parseKinds, parseRemainder, remainderFault } from "./parse-operands.ts";
import type { WhereField, WhereRules } from "./filter-rules.ts";

export type ParsedWhere =
  | { readonly condition: Condition | undefined; readonly faults?: undefined }
  | { readonly faults: readonly Fault[] };

type Path = readonly (string | number)[];

/** Parses a filter with the meaning of MongoDB's query language. `base` begins every pointer. */
export function parseFilter(where: unknown, base: Path, rules: WhereRules): ParsedWhere {
  const parser = new WhereParser(rules);
  const condition = parser.filter(where, base, 1);
  return parser.faults.length > 0 ? { faults: parser.faults } : { condition };
}

const maximumAllItems = 100;
/** SQL alternatives of one field, and of a filter's fields together. */
const maximumBranches = { ofField: 64, ofFilter: 1_024 } as const;

/** Names in the pointer to a filter that nests too deeply. */
const deepPointerNames = 8;

const comparisons: Readonly<Record<string, Comparison>> = {
  $gt: ">",
  $gte: ">=",
  $lt: "<",
  $lte: "<=",
};
const textOperators: ReadonlySet<string> = new Set(["$regex", "$contains", "$startsWith"]);
/** The item of a list that `$elemMatch` tests itself. */
const item: WhereField = { path: [], branches: 1 };
const always: Condition = { kind: "and", conditions: [] };
const never: Condition = { kind: "or", conditions: [] };

class WhereParser {
  readonly faults: Fault[] = [];
  readonly #counts = { parts: 0, filters: 0, fields: 0 };
  #branches = 0;
  /** Branches of the fields around the current one: the SQL of each contains all tests in it. */
  #outerBranches = 1;
  #isInItem = false;

  constructor(private readonly rules: WhereRules) {}

  filter(where: unknown, path: Path, depth: number): Condition | undefined {
    if (!this.#mayContinue("filters", path, depth)) return undefined;
    if (!isJsonObject(where)) return this.#fault(path, "must be an object");
    const hasGroups = this.rules.groups.length > 0;
    return all(
      Object.entries(where).flatMap(([name, operand]) => {
        const place = [...path, name];
        const condition =
          hasGroups && name.startsWith("$")
            ? this.#group(name, operand, place, depth)
            : this.#field(name, operand, place, depth);
        return condition ?? [];
      }),
    );
  }

  #group(name: string, operand: unknown, path: Path, depth: number): Condition | undefined {
    const { groups, operators, limits } = this.rules;
    if (!groups.includes(name)) {
      const isOfField = operators.includes(name);
      return this.#fault(path, isOfField ? "belongs under a field" : unknownOperator(groups));
    }
    if (!Array.isArray(operand) || operand.length === 0) {
      return this.#fault(path, "must be a list of filters, with at least one");
    }
    if (limits.parts !== undefined && operand.length > limits.parts) {
      return this.#fault(path, `has more than ${limits.parts} filters`);
    }
    const conditions = operand.map(
      (filter: unknown, index) => this.filter(filter, [...path, index], depth + 1) ?? always,
    );
    if (name === "$and") return { kind: "and", conditions };
    const some: Condition = { kind: "or", conditions };
    return name === "$or" ? some : { kind: "not", condition: some };
  }

  #field(name: string, operand: unknown, path: Path, depth: number): Condition | undefined {
    if (!this.#mayContinue("fields", path, depth + 1)) return undefined;
    const field = this.rules.field(name, this.#isInItem);
    if (typeof field === "string") return this.#fault(path, field);
    const outerBranches = this.#outerBranches;
    this.#branches += field.branches * outerBranches;
    if (field.branches > maximumBranches.ofField || this.#branches > maximumBranches.ofFilter) {
      return this.#fault(path, "leads through too many names that are not declared");
    }
    this.#outerBranches *= field.branches;
    const conditions = this.#tests(field, operand, path, depth + 1);
    this.#outerBranches = outerBranches;
    return all(conditions);
  }

  /** The tests of a field: operators, or a value that it must equal. */
  #tests(field: WhereField, operand: unknown, path: Path, depth: number): Condition[] {
    if (!isJsonObject(operand) || (field.kind === undefined && !hasOperators(operand))) {
      if (!this.#isValue(field, operand, path, depth)) return [];
      return [{ kind: "field", path: field.path, test: { kind: "equal", value: operand } }];
    }
    const entries = Object.entries(operand);
    const { operatorsPerField = Infinity } = this.rules.limits;
    if (entries.length === 0) this.#fault(path, "must be a value or operators");
    if (entries.length > operatorsPerField) {
      this.#fault(path, `has more than ${operatorsPerField} operator`);
    }
    return entries.flatMap(
      ([name, value]) =>
        this.#operator(field, { name, value, all: operand }, [...path, name], depth) ?? [],
    );
  }

  #operator(
    field: WhereField,
    given: { name: string; value: unknown; all: Readonly<Record<string, unknown>> },
    path: Path,
    depth: number,
  ): Condition | undefined {
    const { name, value } = given;
    const { operators } = this.rules;
    if (!operators.includes(name)) return this.#fault(path, unknownOperator(operators));
    if (field.kind === "number" && textOperators.has(name)) {
      return this.#fault(path, "is only usable on text");
    }
    switch (name) {
      case "$ne":
        return negated(this.#operator(field, { ...given, name: "$eq" }, path, depth));
      case "$nin":
        return negated(this.#operator(field, { ...given, name: "$in" }, path, depth));
      case "$not":
        if (!isJsonObject(value) || !hasOperators(value)) {
          return this.#fault(path, "must be an object with operators");
        }
        if (!this.#mayContinue("parts", path, depth + 1)) return undefined;
        return negated(all(this.#tests(field, value, path, depth + 1)) ?? always);
      case "$all":
        return this.#all(field, value, path, depth);
      case "$exists": {
        if (typeof value !== "boolean") return this.#fault(path, "must be true or false");
        const exists: Condition = { kind: "field", path: field.path, test: { kind: "exists" } };
        return value ? exists : negated(exists);
      }
      case "$options":
        return "$regex" in given.all ? undefined : this.#fault(path, "needs $regex next to it");
      default: {
        const test =
          name === "$regex"
            ? this.#pattern(value, given.all["$options"], path)
            : this.#test(field, name, value, path, depth);
        return test === undefined ? undefined : { kind: "field", path: field.path, test };
      }
    }
  }

  #test(
    field: WhereField,
    name: string,
    value: unknown,
    path: Path,
    depth: number,
  ): FieldTest | undefined {
    switch (name) {
      case "$eq":
        return this.#isValue(field, value, path, depth) ? { kind: "equal", value } : undefined;
      case "$in":
        return this.#areValues(field, value, path, depth)
          ? { kind: "in", values: value }
          : undefined;
      case "$contains":
      case "$startsWith":
        return this.#isText(value, path)
          ? { kind: name === "$contains" ? "contains" : "starts-with", text: value }
          : undefined;
      case "$elemMatch":
        return this.#element(value, path, depth);
      case "$size":
        return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
          ? { kind: "size", length: value }
          : this.#fault(path, "must be an integer, not less than 0");
      case "$type": {
        const kinds = parseKinds(value);
        return kinds === undefined ? this.#fault(path, kindsFault) : { kind: "type", kinds };
      }
      case "$mod":
        return parseRemainder(value) ?? this.#fault(path, remainderFault);
      case "$near":
        return this.#parsed(path, () => ({ kind: "near", near: parseNear(value) }));
      case "$geoIntersects":
        return this.#parsed(path, () => parseIntersects(value));
      case "$geoWithin":
      case "$within":
        return this.#parsed(path, () => parseWithin(value));
      default:
        return this.#comparison(field, comparisons[name] ?? "<", value, path);
    }
  }

  /** Holds when the list contains every value; an `$elemMatch` among them is a test of an item. */
  #all(field: WhereField, values: unknown, path: Path, depth: number): Condition | undefined {
    if (!Array.isArray(values)) return this.#fault(path, "must be a list of values");
    if (values.length > maximumAllItems) {
      return this.#fault(path, `has more than ${maximumAllItems} items`);
    }
    this.#branches += this.#outerBranches * values.length;
    if (this.#branches > maximumBranches.ofFilter) {
      return this.#fault(path, "has too many items for its field");
    }
    const conditions = values.flatMap((value: unknown, index): Condition[] => {
      const place = [...path, index];
      const isElement = isJsonObject(value) && Object.keys(value).join() === "$elemMatch";
      const test = isElement
        ? this.#element(value["$elemMatch"], [...place, "$elemMatch"], depth + 1)
        : this.#test(field, "$eq", value, place, depth + 1);
      return test === undefined ? [] : [{ kind: "field", path: field.path, test }];
    });
    return all(conditions) ?? never;
  }

  /** Operators test an item itself, names the members of an object. */
  #element(value: unknown, path: Path, depth: number): FieldTest | undefined {
    if (!isJsonObject(value)) return this.#fault(path, "must be an object");
    const { groups } = this.rules;
    const isObject = !Object.keys(value).some(
      (name) => name.startsWith("$") && !groups.includes(name),
    );
    const wasInItem = this.#isInItem;
    this.#isInItem = true;
    const condition = isObject
      ? this.filter(value, path, depth + 1)
      : this.#mayContinue("parts", path, depth + 1)
        ? all(this.#tests(item, value, path, depth + 1))
        : undefined;
    this.#isInItem = wasInItem;
    return { kind: "element", condition: condition ?? always, isObject };
  }

  #comparison(
    field: WhereField,
    operator: Comparison,
    value: unknown,
    path: Path,
  ): FieldTest | undefined {
    const isComparable = isPlainValue(value);
    if (field.kind === undefined && !isComparable) {
      return this.#fault(path, "must be text, a number, true, false or null");
    }
    const isValid = this.#isValue({ ...field, isNullable: false }, value, path, 0);
    return isValid && isComparable ? { kind: "compare", operator, value } : undefined;
  }

  #pattern(source: unknown, options: unknown, path: Path): FieldTest | undefined {
    if (!this.#isText(source, path)) return undefined;
    const flags = options ?? "";
    if (typeof flags !== "string" || new RegExp(`[^${patternFlags}]`).test(flags)) {
      const place = [...path.slice(0, -1), "$options"];
      return this.#fault(place, `must be letters of "${patternFlags}"`);
    }
    return this.#parsed(path, () => {
      compilePattern(source, flags);
      return { kind: "pattern", source, flags };
    });
  }

  #parsed(path: Path, parse: () => FieldTest): FieldTest | undefined {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof PatternError || error instanceof GeoFault)) throw error;
      return this.#fault(path, error.message);
    }
  }

  #isText(value: unknown, path: Path): value is string {
    if (typeof value === "string" && isStorable(value)) return true;
    this.#fault(path, typeof value === "string" ? notStorable : "must be text");
    return false;
  }

  #areValues(field: WhereField, values: unknown, path: Path, depth: number): values is unknown[] {
    const { listItems, fewestItems = 0 } = this.rules.limits;
    const fault = !Array.isArray(values)
      ? "must be a list of values"
      : values.length > listItems
        ? `has more than ${listItems} items`
        : values.length < fewestItems
          ? `has fewer than ${fewestItems} items`
          : undefined;
    if (fault !== undefined || !Array.isArray(values)) {
      this.#fault(path, fault ?? "");
      return false;
    }
    if (!this.#mayContinue("parts", path, depth)) return false;
    return values
      .map((value, index) => this.#isValue(field, value, [...path, index], depth + 1))
      .every(Boolean);
  }

  /** True if an operand is a value that the field and both engines can compare with. */
  #isValue(field: WhereField, value: unknown, path: Path, depth: number): boolean {
    if (field.kind !== undefined) {
      if (value === null && field.isNullable === true) return true;
      if (field.kind === "text") return this.#isText(value, path);
      if (Number.isSafeInteger(value)) return true;
      this.#fault(path, "must be an integer");
      return false;
    }
    if (typeof value === "string") return this.#isText(value, path);
    if (typeof value === "number" && !Number.isFinite(value)) {
      this.#fault(path, "is a number out of range");
      return false;
    }
    if (typeof value !== "object" || value === null) return true;
    if (Array.isArray(value)) return this.#areValues(field, value, path, depth);
    if (!this.#mayContinue("parts", path, depth)) return false;
    return Object.entries(value).every(([name, member]) => {
      if (!name.startsWith("$") && isUsableName(name)) {
        return this.#isValue(field, member, [...path, name], depth + 1);
      }
      this.#fault([...path, name], "is not a usable name in a value");
      return false;
    });
  }

  #mayContinue(kind: "filters" | "fields" | "parts", path: Path, depth: number): boolean {
    const { limits } = this.rules;
    const { filterDepth = Infinity } = limits;
    if (kind === "filters" && depth > filterDepth) {
      this.#fault(path, `nests deeper than ${filterDepth} levels`);
      return false;
    }
    if (depth > limits.depth) {
      this.#fault(path.slice(0, deepPointerNames), `nests deeper than ${limits.depth} levels`);
      return false;
    }
    for (const counted of new Set(["parts", kind] as const)) {
      const { [counted]: limit = Infinity } = limits;
      this.#counts[counted] += 1;
      if (this.#counts[counted] > limit) {
        const noun = counted === "filters" ? "filters" : "conditions";
        this.#fault(path, `is one of more than ${limit} ${noun}`);
        return false;
      }
    }
    return this.faults.length < limits.faults;
  }

  #fault(path: Path, detail: string): undefined {
    if (this.faults.length < this.rules.limits.faults) {
      this.faults.push({ pointer: pointer(...path), detail });
    }
    return undefined;
  }
}

function isPlainValue(value: unknown): value is ComparableValue {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function negated(condition: Condition | undefined): Condition | undefined {
  return condition === undefined ? undefined : { kind: "not", condition };
}

function hasOperators(operand: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(operand).some((name) => name.startsWith("$"));
}

function unknownOperator(known: readonly string[]): string {
  return `is not a known operator: there are ${known.join(", ")}`;
}

/** True if a name can be written in the JSON paths of both engines. */
export function isUsableName(name: string): boolean {
  return !/["\\\p{Cc}]/u.test(name) && name.isWellFormed();
}
