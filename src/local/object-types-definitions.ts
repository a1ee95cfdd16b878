import { membersOf } from "#lib/json-value.ts";

/** Why a file's Object Types can't be used; the rest of a sentence. */
export class UnusableDefinitions extends Error {
  override readonly name = "UnusableDefinitions";
}

/**
 * The definitions of a module or JSON value, in whichever of the accepted forms, as plain JSON. Throws
 * {@link UnusableDefinitions}.
 */
export function definitionsIn(value: unknown): readonly unknown[] {
  return plainJson(membersWith(value));
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

function plainJson(definitions: readonly unknown[]): readonly unknown[] {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(definitions));
    if (Array.isArray(plain)) return plain;
  } catch {
    // Circles and the like: said below.
  }
  throw new UnusableDefinitions("its definitions are not plain data");
}
