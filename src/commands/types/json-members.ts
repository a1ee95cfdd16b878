/** The members of a JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** A JSON object's members; none of anything else. */
export function membersOf(value: unknown): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}

/** JSON with members in one order, so that order alone is no difference. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]): [string, unknown] => [name, sorted(member)]);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
