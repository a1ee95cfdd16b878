import { writeFileAtomically } from "#lib/files/atomic-write.ts";

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
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const kept = lines.flatMap((line) => {
    const name = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=/.exec(line)?.[1];
    if (name === undefined || !values.has(name)) return [line];
    const value = left.get(name);
    left.delete(name);
    // A second line of the same name would win over the first one.
    return value === undefined ? [] : [`${name}=${quotedValue(value)}`];
  });
  const added = [...left].flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quotedValue(value)}`],
  );
  return `${[...kept, ...added].join("\n")}\n`;
}

/** Replaces `.env.local` in one step; only its owner may read it. */
export async function writeEnvFile(path: string, text: string): Promise<void> {
  await writeFileAtomically(path, text, { mode: 0o600, keepsLink: true });
}
