import { usageError } from "#cli/errors.ts";

/** The names in an option, with commas between them. Throws E305, wrong usage, for an empty one. */
export function nameList(flag: string, text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw usageError(`${flag} has an empty name`);
  return names;
}
