import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, writeFileAtomically } from "#lib/files/atomic-write.ts";
import { withFileLock } from "#lib/files/lock.ts";
import { membersOf, parsedJson } from "#lib/json/value.ts";
import type { ProfilePlace } from "./profiles.ts";

/** `dashboard.json`: what the dashboard keeps for its next start, by profile; mode 0600. */

const fileName = "dashboard.json";
const lockName = "dashboard.lock";
const maximumBytes = 1024 * 1024;
const maximumProfiles = 50;

/** The state of one profile as it was written, not validated; undefined without a readable one. */
export async function readDashboardState(place: ProfilePlace): Promise<unknown> {
  return (await readAll(place.configDirectory)).get(place.profile);
}

/** Replaces the state of one profile under the lock of the file. Throws the system's errors. */
export async function updateDashboardState(
  { configDirectory, profile }: ProfilePlace,
  change: (state: unknown) => unknown,
): Promise<void> {
  await makePrivateFolder(configDirectory);
  await withFileLock(join(configDirectory, lockName), async () => {
    const profiles = await readAll(configDirectory);
    const changed = change(profiles.get(profile));
    profiles.delete(profile);
    profiles.set(profile, changed);
    const kept = Object.fromEntries([...profiles].slice(-maximumProfiles));
    const text = `${JSON.stringify({ version: 1, profiles: kept })}\n`;
    const own = `${JSON.stringify({ version: 1, profiles: { [profile]: changed } })}\n`;
    const content = Buffer.byteLength(text) > maximumBytes ? own : text;
    await writeFileAtomically(join(configDirectory, fileName), content, {
      mode: 0o600,
      keepsLink: true,
    });
  });
}

/** A damaged file is as none: everything in it can be chosen again. */
async function readAll(configDirectory: string): Promise<Map<string, unknown>> {
  try {
    const path = join(configDirectory, fileName);
    const facts = await stat(path);
    // Reading a pipe or a device might not end.
    if (!facts.isFile() || facts.size > maximumBytes) return new Map();
    const content = membersOf(parsedJson(await readFile(path, "utf8")));
    return new Map(membersOf(content?.get("profiles")) ?? []);
  } catch {
    return new Map();
  }
}
