import { isJsonObject } from "#lib/json/value.ts";

/** `any` is for values of several kinds, and for objects. */
type PropertyType =
  | "integer"
  | "number"
  | "boolean"
  | "date"
  | "date-time"
  | "string"
  | "integers"
  | "strings"
  | "any";

const mostNames = 500;
const longestName = 200;
/** Programs read an `integer` of a schema as one of 32 bits. */
const largestInteger: number = 2 ** 31 - 1;
const date = /^\d{4}-\d\d-\d\d$/;
const time = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The types of the properties that a dataset's features have or had, in their first order. */
export class PropertyTypes {
  readonly #types: Map<string, PropertyType>;

  private constructor(types: Iterable<readonly [string, PropertyType]>) {
    this.#types = new Map(types);
  }

  /** The types in a text of {@link PropertyTypes.text}; without one, of no feature. */
  static of(text = "{}"): PropertyTypes {
    // Only this class writes such a text.
    return new PropertyTypes(Object.entries(JSON.parse(text) as Record<string, PropertyType>));
  }

  /** Adds the properties of a feature. Null has no type. */
  add(properties: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(properties)) {
      const type = typeOf(properties[name]);
      if (type === undefined) continue;
      const before = this.#types.get(name);
      if (before === type) continue;
      if (before !== undefined) this.#types.set(name, common(before, type));
      else if (this.#types.size < mostNames && name.length <= longestName) {
        this.#types.set(name, type);
      }
    }
  }

  get text(): string {
    return JSON.stringify(Object.fromEntries(this.#types));
  }

  /** The members of a JSON Schema, without those of values of several kinds. */
  schemas(): Readonly<Record<string, object>> {
    return Object.fromEntries(
      [...this.#types].flatMap(([name, type]) => (type === "any" ? [] : [[name, schemas[type]]])),
    );
  }
}

const schemas: Readonly<Record<Exclude<PropertyType, "any">, object>> = {
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  "date-time": { type: "string", format: "date-time" },
  string: { type: "string" },
  integers: { type: "array", items: { type: "integer" } },
  strings: { type: "array", items: { type: "string" } },
};

function typeOf(value: unknown): PropertyType | undefined {
  if (typeof value === "string") return typeOfText(value);
  if (typeof value === "number") return isInteger(value) ? "integer" : "number";
  if (typeof value === "boolean") return "boolean";
  if (isJsonObject(value)) return "any";
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (value.every((item) => typeof item === "string")) return "strings";
  return value.every(isInteger) ? "integers" : "any";
}

function typeOfText(text: string): PropertyType {
  if (text.length < 10 || text.length > 40) return "string";
  if (date.test(text)) return "date";
  return time.test(text) ? "date-time" : "string";
}

function isInteger(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(Number(value)) <= largestInteger;
}

const numbers: ReadonlySet<PropertyType> = new Set<PropertyType>(["integer", "number"]);
const texts: ReadonlySet<PropertyType> = new Set<PropertyType>(["string", "date", "date-time"]);

function common(one: PropertyType, other: PropertyType): PropertyType {
  if (numbers.has(one) && numbers.has(other)) return "number";
  return texts.has(one) && texts.has(other) ? "string" : "any";
}
