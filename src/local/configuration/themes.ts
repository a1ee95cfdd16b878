import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "#lib/json/value.ts";
import { systemErrorCode } from "#lib/system-error.ts";

const folderName = "themes";
const extension = ".json";
const maximumThemes = 50;
const maximumBytes = 16 * 1024;

export interface StoredTheme {
  /** The name of its file, without `.json`. */
  readonly name: string;
  /** The JSON of the file, not validated; undefined if it has none. */
  readonly content: unknown;
}

/** The themes in the folder `themes` of the configuration, by name; at most 50 of 16 KiB. */
export async function readThemes(configDirectory: string): Promise<StoredTheme[]> {
  const folder = join(configDirectory, folderName);
  const files = await namesIn(folder);
  const names = files
    .filter((file) => /^[\w.-]{1,80}\.json$/.test(file))
    .toSorted((a, b) => a.localeCompare(b))
    .slice(0, maximumThemes);
  return Promise.all(
    names.map(async (file) => ({
      name: file.slice(0, -extension.length),
      content: await contentOf(join(folder, file)),
    })),
  );
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // Most users have no theme, and one that can't be read must not keep the dashboard closed.
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

async function contentOf(path: string): Promise<unknown> {
  try {
    const facts = await stat(path);
    // Reading a pipe or a device might not end.
    if (!facts.isFile() || facts.size > maximumBytes) return undefined;
    return parsedJson(await readFile(path, "utf8"));
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
