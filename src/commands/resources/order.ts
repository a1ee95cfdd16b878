import type { JsonObject } from "#contract/values.ts";

/**
 * The order to ask for: the command's default gives way to the platform's where the filter has a
 * `$near`, which answers the nearest first (contract: where).
 */
export function orderFor(
  { given }: { readonly given: ReadonlySet<string> },
  sort: string,
  where: JsonObject | undefined,
): string | undefined {
  return given.has("sort") || where === undefined || !hasNear(where) ? sort : undefined;
}

/** Whether every record has to be near a place: below a field, or in `$and`. */
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
