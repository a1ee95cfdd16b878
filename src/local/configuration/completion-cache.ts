import { readdir, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, writeFileAtomically } from "#lib/files/atomic-write.ts";
import { membersOf, parsedJson } from "#lib/json/value.ts";

/**
 * Values that a shell has asked for, kept for a minute in `completions/` of the configuration
 * folder: one file of mode 0600 for each platform, user, workspace and kind of value.
 */

const folderName = "completions";
const keptMs = 60_000;
const maximumFiles = 64;
const maximumBytes = 128 * 1024;

export interface KeptValue {
  readonly value: string;
  readonly description: string;
}

export interface CompletionPlace {
  readonly configDirectory: string;
  /** Everything that the values depend on; only its digest is stored. */
  readonly key: readonly (string | undefined)[];
  /** Milliseconds since 1970 (default: the clock). */
  readonly now?: number;
}

/** The kept values; undefined when there are none, or when they are older than a minute. */
export async function readKeptValues(place: CompletionPlace): Promise<KeptValue[] | undefined> {
  try {
    const path = pathOf(place);
    const facts = await stat(path);
    const age = (place.now ?? Date.now()) - facts.mtimeMs;
    if (!facts.isFile() || facts.size > maximumBytes || age > keptMs || age < -keptMs) {
      return undefined;
    }
    const values = membersOf(parsedJson(await readFile(path, "utf8")))?.get("values");
    if (!Array.isArray(values)) return undefined;
    return values.flatMap((entry: unknown) => {
      const members = membersOf(entry);
      const [value, description] = [members?.get("value"), members?.get("description")];
      return typeof value === "string" && typeof description === "string"
        ? [{ value, description }]
        : [];
    });
  } catch {
    return undefined;
  }
}

/** Keeps values for the next question. A disk that can't be written is not a failure. */
export async function keepValues(
  place: CompletionPlace,
  values: readonly KeptValue[],
): Promise<void> {
  try {
    const text = JSON.stringify({ version: 1, values });
    if (Buffer.byteLength(text) > maximumBytes) return;
    const folder = join(place.configDirectory, folderName);
    await makePrivateFolder(folder);
    await writeFileAtomically(pathOf(place), text, { mode: 0o600, keepsLink: true });
    await removeOldest(folder);
  } catch {
    // The next call requests them again.
  }
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  if (names.length <= maximumFiles) return;
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, changedMs: (await stat(path)).mtimeMs };
    }),
  );
  const oldest = files.toSorted((one, other) => one.changedMs - other.changedMs);
  for (const { path } of oldest.slice(0, files.length - maximumFiles)) await unlink(path);
}

function pathOf({ configDirectory, key }: CompletionPlace): string {
  const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify(key)).digest("hex");
  return join(configDirectory, folderName, `${digest.slice(0, 32)}.json`);
}
