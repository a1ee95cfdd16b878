import type { JsonObject } from "#contract/values.ts";

/** The `sort` to send: no default sort with `$near`, which returns the nearest records first. */
export function orderFor(
  { given }: { readonly given: ReadonlySet<string> },
  sort: string,
  where: JsonObject | undefined,
): string | undefined {
  return given.has("sort") || where === undefined || !hasNear(where) ? sort : undefined;
}

/** Returns whether the filter has `$near` at a field, or in `$and`. */
function hasNear(where: object): boolean {
  return Object.entries(where).some(([name, operand]: [string, unknown]) => {
    if (name === "$and") {
      return Array.isArray(operand) && operand.some((part) => isObject(part) && hasNear(part));
    }
    return !name.startsWith("$") && isObject(operand) && "$near" in operand;
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
