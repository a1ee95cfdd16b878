import type { Fault } from "#contract/problems.ts";
import { isStorable, notStorable } from "../../../kit/storable-text.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { compilePattern, PatternError, patternFlags } from "#lib/pattern.ts";
import { faultAt, invalid } from "../../../http/faults.ts";
import { documentFields, fieldKind } from "../store/list-documents.ts";
import type { DocumentField, DocumentFilter, FieldValue } from "../store/list-documents.ts";
import { whereOf } from "../../../http/lists/parameters.ts";

const maximumConditions = 100;
/** Objects in all, empty ones too: each is a level of the query's expression. */
const maximumObjects = 200;
const maximumDepth = 8;
const maximumValues = 500;

/**
 * A list's `where`, with MongoDB's meaning: `$eq $ne $in $nin $gt $gte $lt $lte $exists $regex
 * $options $contains $startsWith`, `$not` and `$and $or $nor`, on the fields of the list. 422 with a
 * pointer to each fault.
 */
export function parseDocumentWhere(text: string): DocumentFilter {
  const reading = new WhereReading();
  const filter = reading.object(whereOf(text), ["where"], 1);
  if (reading.faults.length > 0) throw invalid(reading.faults);
  return filter;
}

type Path = readonly (string | number)[];

/** Stands in for what could not be read: the faults refuse the whole. */
const unread: DocumentFilter = { all: [] };

class WhereReading {
  readonly faults: Fault[] = [];
  #conditions = 0;
  #objects = 0;

  object(where: unknown, path: Path, depth: number): DocumentFilter {
    if (!isJsonObject(where)) return this.#fault(path, "must be an object");
    this.#objects += 1;
    if (this.#objects > maximumObjects) {
      return this.#fault(path, `is one of more than ${maximumObjects} objects`);
    }
    if (depth > maximumDepth) return this.#fault(path, `is deeper than ${maximumDepth} levels`);
    return {
      all: Object.entries(where).map(([name, value]) => {
        const place = [...path, name];
        switch (name) {
          case "$and":
            return { all: this.#list(value, place, depth) };
          case "$or":
            return { any: this.#list(value, place, depth) };
          case "$nor":
            return { not: { any: this.#list(value, place, depth) } };
          default:
            return this.#field(name, value, place);
        }
      }),
    };
  }

  #list(value: unknown, path: Path, depth: number): DocumentFilter[] {
    if (!Array.isArray(value) || value.length === 0) {
      return [this.#fault(path, "must be a list of conditions")];
    }
    return value.map((each: unknown, index) => this.object(each, [...path, index], depth + 1));
  }

  #field(name: string, value: unknown, path: Path): DocumentFilter {
    this.#conditions += 1;
    if (this.#conditions > maximumConditions) {
      return this.#fault(path, `is one of more than ${maximumConditions} conditions`);
    }
    const field = documentFields.find((known) => known === name);
    if (field === undefined) return this.#fault(path, `is not listed: wanted ${fieldNames()}`);
    if (!isJsonObject(value)) return this.#equal(field, value, path);
    return this.#operators(field, value, path);
  }

  #operators(
    field: DocumentField,
    operators: Readonly<Record<string, unknown>>,
    path: Path,
  ): DocumentFilter {
    const entries = Object.entries(operators);
    if (entries.length === 0) return this.#fault(path, "must be a value or operators");
    return {
      all: entries.map(([name, value]) => {
        const place = [...path, name];
        if (name === "$regex") return this.#pattern(field, value, operators["$options"], place);
        if (name !== "$options") return this.#operator(field, name, value, place);
        return "$regex" in operators ? unread : this.#fault(place, "needs $regex beside it");
      }),
    };
  }

  #pattern(field: DocumentField, source: unknown, options: unknown, path: Path): DocumentFilter {
    if (fieldKind(field) !== "text") return this.#fault(path, "is only usable on a text");
    const pattern = this.#value(field, source, path);
    if (typeof pattern !== "string") return unread;
    const flags = options ?? "";
    if (typeof flags !== "string" || new RegExp(`[^${patternFlags}]`).test(flags)) {
      const place = [...path.slice(0, -1), "$options"];
      return this.#fault(place, `must be letters of "${patternFlags}"`);
    }
    try {
      compilePattern(pattern, flags);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return this.#fault(path, error.message);
    }
    return { field, pattern, flags };
  }

  #operator(field: DocumentField, name: string, value: unknown, path: Path): DocumentFilter {
    switch (name) {
      case "$eq":
        return this.#equal(field, value, path);
      case "$ne":
        return { not: this.#equal(field, value, path) };
      case "$in":
        return this.#anyOf(field, value, path);
      case "$nin":
        return { not: this.#anyOf(field, value, path) };
      case "$gt":
        return this.#compare(field, ">", value, path);
      case "$gte":
        return this.#compare(field, ">=", value, path);
      case "$lt":
        return this.#compare(field, "<", value, path);
      case "$lte":
        return this.#compare(field, "<=", value, path);
      case "$exists":
        if (typeof value !== "boolean") return this.#fault(path, "must be true or false");
        return { field, exists: value };
      case "$contains":
        return this.#match(field, "contains", value, path);
      case "$startsWith":
        return this.#match(field, "startsWith", value, path);
      case "$not":
        if (!isJsonObject(value)) return this.#fault(path, "must be an object of operators");
        return { not: this.#operators(field, value, path) };
      default:
        return this.#fault(path, "is not an operator of this list");
    }
  }

  #equal(field: DocumentField, value: unknown, path: Path): DocumentFilter {
    if (value === null) return { field, exists: false };
    const wanted = this.#value(field, value, path);
    return wanted === undefined ? unread : { field, in: [wanted] };
  }

  #anyOf(field: DocumentField, value: unknown, path: Path): DocumentFilter {
    if (!Array.isArray(value)) return this.#fault(path, "must be a list of values");
    if (value.length > maximumValues) {
      return this.#fault(path, `must have at most ${maximumValues} items`);
    }
    const isNullIncluded = value.includes(null);
    const values = value.flatMap((each: unknown, index) =>
      each === null ? [] : (this.#value(field, each, [...path, index]) ?? []),
    );
    const among: DocumentFilter = { field, in: values };
    return isNullIncluded ? { any: [among, { field, exists: false }] } : among;
  }

  #compare(
    field: DocumentField,
    compare: ">" | ">=" | "<" | "<=",
    value: unknown,
    path: Path,
  ): DocumentFilter {
    const wanted = this.#value(field, value, path);
    return wanted === undefined ? unread : { field, compare, value: wanted };
  }

  #match(
    field: DocumentField,
    match: "contains" | "startsWith",
    value: unknown,
    path: Path,
  ): DocumentFilter {
    if (fieldKind(field) !== "text") return this.#fault(path, "is only usable on a text");
    const wanted = this.#value(field, value, path);
    return typeof wanted === "string" ? { field, match, value: wanted } : unread;
  }

  #value(field: DocumentField, value: unknown, path: Path): FieldValue | undefined {
    const kind = fieldKind(field);
    if (kind === "text" && typeof value === "string") {
      if (isStorable(value)) return value;
      this.#fault(path, notStorable);
      return undefined;
    }
    if (kind === "number" && Number.isSafeInteger(value)) return Number(value);
    this.#fault(path, kind === "text" ? "must be a text" : "must be a whole number");
    return undefined;
  }

  #fault(path: Path, detail: string): DocumentFilter {
    this.faults.push(faultAt("query", path, detail));
    return unread;
  }
}

function fieldNames(): string {
  return documentFields.join(", ");
}
