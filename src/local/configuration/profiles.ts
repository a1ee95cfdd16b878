import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { catalogError, CatalogError } from "#contract/errors.ts";
import { baseUrlText, BaseUrlError, parsePlatformUrl } from "#lib/network/base-url.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import type { Profile, SelectedWorkspace } from "../surface.ts";

/** `profiles.json`: named settings, replaced atomically under a lock. */

const fileName = "profiles.json";
const lockName = "profiles.lock";
const maximumBytes = 4 * 1024 * 1024;

export interface ProfilePlace {
  readonly configDirectory: string;
  readonly profile: string;
}

/** Returns the name; throws E305 unless it has only letters, digits, `.`, `_` and `-`. */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw catalogError("E305", {
    details: "a profile name must have 1 to 64 letters, digits, dots, dashes or underscores",
  });
}

/** The stored profile; empty for an unknown name. Throws E006 for a damaged file. */
export async function readProfile(place: ProfilePlace): Promise<Profile> {
  return (await readAll(place.configDirectory)).get(place.profile) ?? {};
}

/** The names of the stored profiles. Throws E006 for a damaged file. */
export async function profileNames(configDirectory: string): Promise<string[]> {
  return [...(await readAll(configDirectory)).keys()];
}

/** Changes one profile under the lock of the file. */
export async function updateProfile(
  { configDirectory, profile }: ProfilePlace,
  change: (profile: Profile) => Profile,
): Promise<Profile> {
  checkProfileName(profile);
  return await updateAll(configDirectory, (profiles) => {
    const changed = change(profiles.get(profile) ?? {});
    profiles.set(profile, changed);
    return changed;
  });
}

async function updateAll<Result>(
  configDirectory: string,
  change: (profiles: Map<string, Profile>) => Result,
): Promise<Result> {
  // Most calls only read a profile.
  const [{ makePrivateFolder, writeFileAtomically }, { FileLockError, withFileLock }] =
    await Promise.all([import("#lib/files/atomic-write.ts"), import("#lib/files/lock.ts")]);
  try {
    await makePrivateFolder(configDirectory);
    return await withFileLock(join(configDirectory, lockName), async () => {
      const profiles = await readAll(configDirectory);
      const changed = change(profiles);
      const content = { version: 1, profiles: Object.fromEntries(profiles) };
      await writeFileAtomically(
        join(configDirectory, fileName),
        `${JSON.stringify(content, null, 2)}\n`,
        { keepsLink: true },
      );
      return changed;
    });
  } catch (error) {
    if (error instanceof FileLockError) throw catalogError("E006", { details: error.message });
    if (systemErrorCode(error) === undefined) throw error;
    throw catalogError(
      "E006",
      { details: `${fileName}: ${systemErrorWords(error)}` },
      { hint: `The file is in ${configDirectory}; SVC_CONFIG_DIR sets another folder` },
    );
  }
}

/** Stores the selected workspace of the profile, for one origin. */
export async function selectWorkspace(
  choice: ProfilePlace & { readonly workspace: SelectedWorkspace & { readonly origin: string } },
): Promise<void> {
  await updateProfile(choice, (profile) => ({ ...profile, workspace: choice.workspace }));
}

/**
 * Stores the profile's platform and, if it is given, its identity provider; a new origin removes
 * the stored provider.
 */
export async function selectPlatform(
  place: ProfilePlace,
  address: string,
  provider?: string,
): Promise<string> {
  const baseUrl = platformAddress(address);
  const { origin } = new URL(baseUrl);
  await updateProfile(place, ({ authUrl, ...profile }) => {
    const before = profile.baseUrl ?? baseUrl;
    const isSame = URL.canParse(before) && new URL(before).origin === origin;
    return { ...profile, baseUrl, authUrl: provider ?? (isSame ? authUrl : undefined) };
  });
  return baseUrl;
}

/** A platform's address in normal form. Throws E305. */
export function platformAddress(address: string): string {
  try {
    return baseUrlText(parsePlatformUrl(address));
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw catalogError("E305", { details: `the URL of the platform ${error.message}` });
  }
}

/** Removes the selected workspace of one profile, or of all (spec 5.4, `logout`). */
export async function clearWorkspace({
  configDirectory,
  profile,
}: {
  readonly configDirectory: string;
  readonly profile: string | undefined;
}): Promise<void> {
  const isCleared = (name: string, { workspace }: Profile) =>
    workspace !== undefined && (profile === undefined || profile === name);
  const stored = await readAll(configDirectory);
  if (![...stored].some(([name, one]) => isCleared(name, one))) return;
  await updateAll(configDirectory, (profiles) => {
    for (const [name, one] of profiles) {
      const { workspace: _workspace, ...rest } = one;
      if (isCleared(name, one)) profiles.set(name, rest);
    }
  });
}

async function readAll(configDirectory: string): Promise<Map<string, Profile>> {
  const path = join(configDirectory, fileName);
  const damaged = () =>
    catalogError(
      "E006",
      { details: `${fileName} is damaged` },
      { hint: `Repair or remove ${path}` },
    );
  let text: string;
  try {
    const facts = await stat(path);
    // Reading a pipe or a device might not end.
    if (!facts.isFile() || facts.size > maximumBytes) throw damaged();
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    if (systemErrorCode(error) === "ENOENT") return new Map();
    throw catalogError("E006", { details: `${fileName}: ${systemErrorWords(error)}` });
  }
  const profiles = membersOf(membersOf(parsedJson(text))?.get("profiles"));
  if (profiles === undefined) throw damaged();
  return new Map([...profiles].map(([name, profile]) => [name, toProfile(profile)]));
}

/** Keeps valid members only: a later version may store others. */
function toProfile(value: unknown): Profile {
  const members = membersOf(value) ?? new Map<string, unknown>();
  const workspace = membersOf(members.get("workspace"));
  const settings = membersOf(members.get("settings"));
  const [id, slug, origin] = ["id", "slug", "origin"].map((name) =>
    filledText(workspace?.get(name)),
  );
  const chosen = id !== undefined && slug !== undefined && origin !== undefined;
  return {
    baseUrl: filledText(members.get("baseUrl")),
    authUrl: filledText(members.get("authUrl")),
    ...(chosen
      ? { workspace: { id, slug, origin, displayName: filledText(workspace?.get("displayName")) } }
      : {}),
    ...(settings === undefined ? {} : { settings: Object.fromEntries(settings) }),
  };
}
