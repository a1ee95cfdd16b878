import { isJsonObject } from "#lib/json/value.ts";

const longestValue = 32_000;
const longestRow = 100_000;

/** A name of a variable, e.g. `SVC_ROW_DOCUMENT_ID` for `documentId`. */
function variableName(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2");
  return `SVC_ROW_${words.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longestValue ? undefined : text.replaceAll("\0", "");
}

/**
 * The fields of a row as variables: `SVC_ROW` has all of it as JSON, `SVC_ROW_ID` and so on one
 * field each. Those of a record are its own and the properties in its `data`. A field above 32,000
 * characters, and a row above 100,000, is left out.
 */
export function rowEnvironment(row: Readonly<Record<string, unknown>>): Record<string, string> {
  const { data, ...own } = row;
  const fields = { ...(isJsonObject(data) ? data : { data }), ...own };
  const all = JSON.stringify(row);
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const text = textOf(value);
    if (text !== undefined) variables[variableName(name)] = text;
  }
  return { ...variables, ...(all.length > longestRow ? {} : { SVC_ROW: all }) };
}
