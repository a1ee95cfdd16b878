import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { envEntries, envText } from "./entries.ts";

/** A variable's name in `.env.local`. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,254}$/.test(name);
}

/** A value as `.env.local` has it, quoted where a reader would change it. */
function quotedValue(value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=?&~-]*$/.test(value)) return value;
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

/**
 * The text with these variables set, or removed for undefined; other lines, comments and their
 * order stay.
 */
export function withVariables(
  text: string,
  values: ReadonlyMap<string, string | undefined>,
): string {
  const left = new Map(values);
  const lines = envText(text);
  const source = lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
  let result = "";
  let at = 0;
  for (const { name, start, end } of envEntries(source)) {
    if (!values.has(name)) continue;
    const value = left.get(name);
    left.delete(name);
    // A second line of the same name would win over the first one.
    const line = value === undefined ? "" : lineOf(name, value);
    result += source.slice(at, start) + line;
    at = end + 1;
  }
  result += source.slice(at);
  for (const [name, value] of left) if (value !== undefined) result += lineOf(name, value);
  return result === "" ? "\n" : result;
}

function lineOf(name: string, value: string): string {
  return `${name}=${quotedValue(value)}\n`;
}

/** Replaces `.env.local` in one step; only its owner may read it. */
export async function writeEnvFile(path: string, text: string): Promise<void> {
  await writeFileAtomically(path, text, { mode: 0o600, keepsLink: true });
}
