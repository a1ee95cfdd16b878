import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { isJsonObject } from "#lib/json/value.ts";

/** Objects of a schema with all references written out: each level may double them. */
const objectsAtMost = 2_000;
const definitions = new Set(["$defs", "definitions"]);
/** Below these members names are those of properties or definitions, not keywords. */
const maps = new Set(["properties", "patternProperties", "dependentSchemas", ...definitions]);
const data = new Set(["enum", "const", "default", "examples"]);

/** A reason why a schema is refused, as a clause. */
export class SchemaRefusal extends Error {
  override readonly name = "SchemaRefusal";
}

/**
 * Writes the definitions of a JSON Schema in the places that refer to them (`$ref` with
 * `#/$defs/NAME` or another pointer within the schema). Throws {@link SchemaRefusal} for a
 * reference to itself, to another document, to nothing, and for more than 2,000 objects.
 */
export function inlinedSchema(root: JsonObject): JsonObject {
  let objects = 0;
  const list = (values: readonly unknown[], open: readonly string[]): unknown[] =>
    values.map((value) => inlined(value, open));
  const members = (
    object: JsonObject,
    of: (name: string, value: unknown) => unknown,
  ): JsonObject => {
    objects += 1;
    if (objects > objectsAtMost) {
      throw new SchemaRefusal(
        `must have at most ${objectsAtMost} objects with its $ref written out`,
      );
    }
    return Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name, of(name, value)]),
    );
  };
  const mapped = (value: unknown, open: readonly string[]): unknown =>
    isJsonObject(value) ? members(value, (_name, each) => inlined(each, open)) : value;
  const inlined = (schema: unknown, open: readonly string[]): unknown => {
    if (Array.isArray(schema)) return list(schema, open);
    if (!isJsonObject(schema)) return schema;
    const { $ref: reference, ...own } = schema;
    const rest = Object.fromEntries(Object.entries(own).filter(([name]) => !definitions.has(name)));
    const plain = members(rest, (name, value) => {
      if (data.has(name)) return value;
      return maps.has(name) ? mapped(value, open) : inlined(value, open);
    });
    if (reference === undefined) return plain;
    if (typeof reference !== "string") throw new SchemaRefusal("must have texts as $ref");
    if (open.includes(reference)) {
      throw new SchemaRefusal(`must not use $ref to a schema within itself: ${reference}`);
    }
    const target = inlined(targetOf(root, reference), [...open, reference]);
    return Object.keys(plain).length === 0 ? target : { allOf: [target, plain] };
  };
  const whole = inlined(root, ["#"]);
  if (!isJsonObject(whole)) throw new SchemaRefusal("must be an object, also where $ref leads to");
  return whole;
}

/** Follows a JSON Pointer in a fragment (RFC 6901). */
function targetOf(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith("#/")) {
    throw new SchemaRefusal(`must use $ref only within itself, like #/$defs/name: ${reference}`);
  }
  let found: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isJsonObject(found) ? ownMember(found, name) : undefined;
  }
  if (found === undefined) throw new SchemaRefusal(`has no schema at ${reference}`);
  return found;
}
