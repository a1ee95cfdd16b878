import type { JsonObject } from "#client/index.ts";

/** A filter as typed, understood: what the platform is asked, or why it can't be. */
export type ParsedFilter =
  | { readonly where: JsonObject | undefined }
  | { readonly problem: string };

/** An Object Type's properties, as far as a filter needs to know them. */
export type Properties = Readonly<Record<string, { readonly type: string }>>;

const systemProperties: Properties = {
  id: { type: "string" },
  version: { type: "integer" },
  created_at: { type: "datetime" },
  updated_at: { type: "datetime" },
  created_by: { type: "string" },
  updated_by: { type: "string" },
};

const operators: Readonly<Record<string, string>> = {
  ">=": "$gte",
  "<=": "$lte",
  "!=": "$ne",
  ">": "$gt",
  "<": "$lt",
};

interface Term {
  readonly name: string | undefined;
  readonly operator: string;
  readonly value: string;
}

class FilterProblem extends Error {}

/** Words and `name<operator>value` terms; quotes keep spaces together. */
function termsOf(text: string): Term[] {
  const pattern = /(?:([\w.]+)(>=|<=|!=|[:=<>]))?(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gy;
  const terms: Term[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at] ?? "")) {
      at += 1;
      continue;
    }
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) throw new FilterProblem(`"${text.slice(at)}" can't be read`);
    const [whole, name, operator = ":", double, single, bare] = found;
    terms.push({ name, operator, value: double ?? single ?? bare ?? "" });
    at += whole.length;
  }
  return terms;
}

function isText(type: string): boolean {
  return type === "string" || type === "text" || type === "email" || type === "url";
}

function typed(name: string, type: string, value: string): string | number | boolean | null {
  if (value === "null") return null;
  if (type === "integer" || type === "number") {
    const number = Number(value);
    if (value.trim() === "" || !Number.isFinite(number)) {
      throw new FilterProblem(`${name} is a number, "${value}" is not`);
    }
    return number;
  }
  if (type === "boolean") {
    if (value === "true" || value === "yes") return true;
    if (value === "false" || value === "no") return false;
    throw new FilterProblem(`${name} is true or false, not "${value}"`);
  }
  return value;
}

/** A text that holds another, in capitals or not: nobody types a name as it was entered. */
function holding(text: string): JsonObject {
  return { $regex: text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), $options: "i" };
}

function condition(term: Term, name: string, properties: Properties): JsonObject {
  const root = name.split(".")[0] ?? name;
  const type = (properties[name] ?? properties[root] ?? systemProperties[name])?.type;
  if (type === undefined) {
    const known = Object.keys(properties).slice(0, 8).join(", ");
    throw new FilterProblem(`there is no field "${name}"; fields are ${known}`);
  }
  const comparison = operators[term.operator];
  if (comparison !== undefined) return { [name]: { [comparison]: typed(name, type, term.value) } };
  if (term.operator === ":" && term.value !== "null") {
    if (isText(type)) return { [name]: holding(term.value) };
    // A day of a time: everything that begins with it.
    if (type === "datetime" || type === "date") return { [name]: { $startsWith: term.value } };
  }
  return { [name]: typed(name, type, term.value) };
}

function anywhere(word: string, properties: Properties): JsonObject {
  const names = Object.entries(properties).flatMap(([name, { type }]) =>
    isText(type) || type === "enum" ? [name] : [],
  );
  if (names.length === 0) {
    throw new FilterProblem("no field of this type holds text; say field:value");
  }
  return { $or: names.map((name) => ({ [name]: holding(word) })) };
}

/**
 * `status:open amount>1000 "quay street"`, or the platform's own JSON when it begins with `{`.
 * `:` finds a text that contains the value and any other value that equals it; `=` is exact; a word
 * alone is looked for in every text field.
 */
export function parseFilter(text: string, properties: Properties): ParsedFilter {
  const trimmed = text.trim();
  if (trimmed === "") return { where: undefined };
  if (trimmed.startsWith("{")) {
    try {
      const value: unknown = JSON.parse(trimmed);
      if (typeof value === "object" && value !== null) return { where: { ...value } };
    } catch {
      // Said below, with what is wanted.
    }
    return { problem: 'not JSON yet; for example {"status":"open"}' };
  }
  try {
    const conditions = termsOf(trimmed).map((term) =>
      term.name === undefined
        ? anywhere(term.value, properties)
        : condition(term, term.name, properties),
    );
    const [only] = conditions;
    return { where: conditions.length === 1 ? only : { $and: conditions } };
  } catch (error) {
    if (error instanceof FilterProblem) return { problem: error.message };
    throw error;
  }
}
