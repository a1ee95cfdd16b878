import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { JsonSchema } from "./describe.ts";

/** A member of a command's JSON answer. */
export interface AnswerMember {
  /** The way to it, e.g. `items[].id`. */
  readonly name: string;
  /** Its types or values, e.g. `string or null`; an optional member may be absent. */
  readonly type: string;
  readonly words: string;
}

/** Objects within objects are shown down to this level; lists do not count. */
const deepest = 3;

/** The members of an answer, each object before its own members; none if it is no object. */
export function answerMembers(schema: JsonSchema): readonly AnswerMember[] {
  const { $defs: definitions = {} } = schema;
  const rows: AnswerMember[] = [];
  const seen = new Set<string>();
  const walk = (given: unknown, prefix: string, level: number): void => {
    for (const part of objectsOf(given, definitions)) {
      const { properties, required } = part.schema;
      if (!isJsonObject(properties) || level > deepest) continue;
      for (const [name, member] of Object.entries(properties)) {
        const way = `${prefix}${part.suffix}`;
        const path = way === "" ? name : `${way}.${name}`;
        if (seen.has(path)) continue;
        seen.add(path);
        const isRequired = Array.isArray(required) && required.includes(name);
        rows.push({
          name: path,
          type: `${typeWords(member, definitions)}${isRequired ? "" : ", optional"}`,
          words: descriptionOf(member, definitions),
        });
        walk(member, path, level + 1);
      }
    }
  };
  walk(schema, "", 1);
  return rows;
}

type Definitions = Readonly<Record<string, unknown>>;

function resolved(schema: unknown, definitions: Definitions): Readonly<Record<string, unknown>> {
  if (!isJsonObject(schema)) return {};
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const { $ref: _reference, ...own } = schema;
  const named = ownMember(definitions, reference.slice("#/$defs/".length));
  return { ...resolved(named, definitions), ...own };
}

function choicesOf(schema: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const choices = schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"];
  return Array.isArray(choices) ? choices : undefined;
}

/** The objects that a value may be, or that its items may be. */
function objectsOf(
  given: unknown,
  definitions: Definitions,
  suffix = "",
): readonly { readonly schema: Readonly<Record<string, unknown>>; readonly suffix: string }[] {
  const schema = resolved(given, definitions);
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    return choices.flatMap((choice) => objectsOf(choice, definitions, suffix));
  }
  if (schema["type"] === "array") return objectsOf(schema["items"], definitions, `${suffix}[]`);
  return [{ schema, suffix }];
}

/** A type with its values, e.g. `string or null`, `"a" or "b"`, `list of string`. */
function typeWords(given: unknown, definitions: Definitions): string {
  const schema = resolved(given, definitions);
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    return [...new Set(choices.map((choice) => typeWords(choice, definitions)))].join(" or ");
  }
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  const { enum: values, type, items } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" or ");
  if (type === "array") {
    const of = typeWords(items, definitions);
    return of === "any" ? "list" : `list of ${of}`;
  }
  return Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "any";
}

function descriptionOf(given: unknown, definitions: Definitions): string {
  const { description } = resolved(given, definitions);
  return typeof description === "string" ? description : "";
}
