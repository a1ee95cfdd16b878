import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { makePrivateFolder, writeFileAtomically } from "#lib/files/atomic-write.ts";
import { FileLockError, withFileLock } from "#lib/files/lock.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";

/** One value of a configuration store. */
export interface StoredSetting {
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
}

/** The variables of one project under a label, e.g. `dev`. */
export interface EnvStore {
  /** The store as text, without credentials. */
  readonly place: string;
  /** Returns at most 1,000 settings. Throws E006 when it can't be read. */
  read(project: string, label: string): Promise<readonly StoredSetting[]>;
  /** Sets these settings, and keeps the others. Throws E006 when it can't be written. */
  write(project: string, label: string, settings: readonly StoredSetting[]): Promise<void>;
}

export const maximumSettings = 1000;
const maximumBytes = 4 * 1024 * 1024;

/** Throws E305 unless the label can be a file's name and a label of every store. */
export function checkLabel(label: string, flag: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(label)) return label;
  throw catalogError("E305", {
    details: `${flag} must have 1 to 64 letters, digits, dots, dashes or underscores`,
  });
}

/** A project's name as a part of a key and a path. */
export function projectKey(name: string): string {
  const key = name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, "");
  return key.slice(0, 100) || "project";
}

/** A folder with one file for each project and label; mode 0600, replaced under a lock. */
export function folderStore(folder: string): EnvStore {
  const pathOf = (project: string, label: string) => join(folder, project, `${label}.json`);
  const failed = (error: unknown): never => {
    if (error instanceof FileLockError) throw catalogError("E006", { details: error.message });
    if (systemErrorCode(error) === undefined) throw error;
    throw catalogError("E006", { details: `${folder}: ${systemErrorWords(error)}` });
  };
  return {
    place: folder,
    read: async (project, label) => await readSettings(pathOf(project, label)).catch(failed),
    write: async (project, label, settings) => {
      const path = pathOf(project, label);
      try {
        await makePrivateFolder(join(folder, project));
        await withFileLock(join(folder, project, "store.lock"), async () => {
          const all = new Map((await readSettings(path)).map((one) => [one.name, one]));
          for (const setting of settings) all.set(setting.name, setting);
          if (all.size > maximumSettings) {
            throw catalogError("E006", {
              details: `${path} would have more than ${maximumSettings} settings`,
            });
          }
          const content = { version: 1, settings: [...all.values()] };
          await writeFileAtomically(path, `${JSON.stringify(content, null, 2)}\n`, {
            mode: 0o600,
            keepsLink: true,
          });
        });
      } catch (error) {
        failed(error);
      }
    },
  };
}

async function readSettings(path: string): Promise<StoredSetting[]> {
  let text: string;
  try {
    const facts = await stat(path);
    // Reading a pipe or a device might not end.
    if (!facts.isFile() || facts.size > maximumBytes) throw damaged(path);
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
  const list = membersOf(parsedJson(text))?.get("settings");
  if (!Array.isArray(list) || list.length > maximumSettings) throw damaged(path);
  return list.map((entry: unknown) => {
    const members = membersOf(entry);
    const name = filledText(members?.get("name"));
    const value = members?.get("value");
    if (name === undefined || typeof value !== "string") throw damaged(path);
    return { name, value, isSecret: members?.get("isSecret") === true };
  });
}

function damaged(path: string) {
  const details = "the configuration store is damaged";
  return catalogError("E006", { details }, { hint: `Repair or remove ${path}` });
}
