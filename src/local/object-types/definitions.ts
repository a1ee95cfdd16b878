import { deepestJson, nestsTooDeep } from "#lib/json/scan.ts";
import { pointer, pointerWords } from "#lib/json/pointer.ts";
import { membersOf } from "#lib/json/value.ts";

/** The reason why a file's Object Types can't be used; completes a sentence. */
export class UnusableDefinitions extends Error {
  override readonly name = "UnusableDefinitions";
}

/** The definitions in any accepted form, as plain JSON. Throws {@link UnusableDefinitions}. */
export function definitionsIn(value: unknown): readonly unknown[] {
  const plain = new PlainJson().of(membersWith(value), []);
  if (Array.isArray(plain)) return plain;
  throw new UnusableDefinitions("it exports no Object Types");
}

function membersWith(value: unknown): readonly unknown[] {
  const members = membersOf(value);
  for (const name of ["objectTypes", "types", "default"]) {
    const found = members?.get(name);
    if (Array.isArray(found)) return found;
    const nested = membersOf(found);
    if (nested === undefined) continue;
    if (name === "default" && [...nested.keys()].some((key) => key === "objectTypes")) {
      return membersWith(found);
    }
    return isDefinition(found) ? [found] : [...nested.values()];
  }
  if (Array.isArray(value)) return value;
  const named = [...(members?.values() ?? [])].filter(isDefinition);
  if (named.length > 0) return named;
  throw new UnusableDefinitions("it exports no Object Types");
}

function isDefinition(value: unknown): boolean {
  const members = membersOf(value);
  return members?.has("name") === true && members.has("properties");
}

/** Refuses values that `JSON.stringify` would drop or change, with their place. */
class PlainJson {
  readonly #above = new Set<object>();

  of(value: unknown, path: readonly (string | number)[]): unknown {
    if (typeof value === "number" && !Number.isFinite(value)) throw unusable(path, String(value));
    if (typeof value === "function") throw unusable(path, "a function");
    if (typeof value === "symbol" || typeof value === "bigint") {
      throw unusable(path, `a ${typeof value}`);
    }
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Map || value instanceof Set) throw unusable(path, "a Map or a Set");
    if (path.length > deepestJson) throw new UnusableDefinitions(`it ${nestsTooDeep}`);
    if (this.#above.has(value)) throw unusable(path, "a circular reference");
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return this.of(value.toJSON(), path);
    }
    this.#above.add(value);
    const plain = Array.isArray(value)
      ? value.map((item: unknown, index) => this.of(item, [...path, index]))
      : Object.fromEntries(
          Object.entries(value)
            .filter(([, member]) => member !== undefined)
            .map(([name, member]) => [name, this.of(member, [...path, name])]),
        );
    this.#above.delete(value);
    return plain;
  }
}

function unusable(path: readonly (string | number)[], what: string): UnusableDefinitions {
  const place = pointerWords(pointer(...path));
  return new UnusableDefinitions(`${place} is ${what}, which is not plain data`);
}
