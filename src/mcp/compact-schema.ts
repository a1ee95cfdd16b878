import type { JsonSchema } from "#contract/openapi/schemas.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** The longest pattern that helps a model to write a value. */
const maximumPattern = 40;

/** The schema without what does not help to write an argument; the platform checks it all. */
export function compactInput(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  const compact = JSON.parse(text, (name: string, value: unknown) => {
    if (!isJsonObject(value)) return isBound(name, value) ? undefined : value;
    // The format says what the pattern does.
    if (typeof value["format"] === "string") delete value["pattern"];
    delete value["propertyNames"];
    // The description has the range.
    if (String(value["description"]).includes(` to ${shortNumber(value["maximum"])}`)) {
      delete value["minimum"];
      delete value["maximum"];
    }
    const others = value["additionalProperties"];
    if (!isJsonObject(others) || Object.keys(others).length === 0) {
      delete value["additionalProperties"];
    }
    return withoutTexts(value);
  }) as JsonSchema;
  return { ...compact, additionalProperties: false };
}

function shortNumber(value: unknown): string {
  return typeof value === "number" ? value.toLocaleString("en") : "no number";
}

function isBound(name: string, value: unknown): boolean {
  if (typeof value === "number") {
    return name === "maxLength" || name === "minLength" || value >= 1_000_000;
  }
  return name === "pattern" && typeof value === "string" && value.length > maximumPattern;
}

/** A flag of a query also accepts its text; an agent writes the flag. */
function withoutTexts(value: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = value;
  const isFlag = JSON.stringify(anyOf) === flagOrText;
  return isFlag ? { ...rest, type: "boolean" } : value;
}

const flagOrText = JSON.stringify([
  { type: "boolean" },
  { type: "string", enum: ["true", "false"] },
]);

type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * The types of an answer's members, and the names of the members of listed items. Nothing is
 * required and other members are allowed, since another deployment may leave out or add some.
 */
export function answerShape(schema: JsonSchema, definitions: Definitions, depth = 2): JsonSchema {
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const named = definitions[reference.slice("#/$defs/".length)] ?? {};
    return answerShape(named, definitions, depth);
  }
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return ofChoices(choices as JsonSchema[], definitions, depth);
  const { type, properties = {}, items } = schema;
  if (type === "array") {
    const shape = isJsonObject(items) ? answerShape(items, definitions, depth) : {};
    return Object.keys(shape).length === 0 ? { type } : { type, items: shape };
  }
  if (type === "object" && depth > 0) {
    const members = Object.entries(properties).map(([name, member]) => {
      if (depth === 1) return [name, {}] as const;
      const below = member["type"] === "array" ? depth - 1 : 0;
      return [name, answerShape(member, definitions, below)] as const;
    });
    return members.length === 0 ? { type } : { type, properties: Object.fromEntries(members) };
  }
  if (type !== undefined) return { type };
  const constant = schema["const"] ?? (schema["enum"] as unknown[] | undefined)?.[0];
  return constant === undefined ? {} : { type: typeof constant };
}

/** One shape or null keeps its members; a choice between others has only its types. */
function ofChoices(choices: JsonSchema[], definitions: Definitions, depth: number): JsonSchema {
  const shapes = choices.map((choice) => answerShape(choice, definitions, depth));
  const types = [...new Set(shapes.flatMap(({ type }) => type))];
  if (types.includes(undefined)) return {};
  const others = shapes.filter(({ type }) => type !== "null");
  const [only = {}] = others;
  const type = types.length === 1 ? types[0] : types;
  return others.length === 1 ? { ...only, type } : { type };
}

/**
 * The value without the members whose type is not that of the shape. Clients refuse such an
 * answer, although another deployment may send it; its text has all members.
 */
export function objectOfShape(
  value: Readonly<Record<string, unknown>>,
  { properties = {} }: JsonSchema,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const expected = ownMember(properties, name);
      if (expected === undefined) return [[name, member]];
      return fits(member, expected) ? [[name, ofShape(member, expected)]] : [];
    }),
  );
}

function ofShape(value: unknown, shape: JsonSchema): unknown {
  if (isJsonObject(value)) return objectOfShape(value, shape);
  const { items } = shape;
  if (!Array.isArray(value) || !isJsonObject(items)) return value;
  return value.filter((item) => fits(item, items)).map((item) => ofShape(item, items));
}

function fits(value: unknown, { type }: JsonSchema): boolean {
  if (type === undefined) return true;
  const accepted: readonly unknown[] = Array.isArray(type) ? type : [type];
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return (
    accepted.includes(own) ||
    (own === "number" && accepted.includes("integer") && Number.isInteger(value))
  );
}
