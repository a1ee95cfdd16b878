/** A value as a typed filter has it, in quotes where it would read as something else. */
export function filterValue(value: string | number | boolean | null): string {
  if (typeof value !== "string") return String(value);
  if (/^[\w][\w.:@+/-]*$/.test(value) && value !== "null") return value;
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
