import { inputError } from "#cli/errors.ts";
import type { CommandContext } from "../kit/context.ts";
import { profilePlace } from "../kit/sign-in/profile.ts";

export type StoredSettings = Readonly<Record<string, unknown>>;

export const settingArgument = {
  name: "name",
  description: "read_only, mouse, pictures, aliases, hotkeys or plugins",
} as const;

/** The name of a setting. Throws E305 for another one. */
export async function checkedName(name: string) {
  const { settingNames } = await import("#ui/shell/profile/profile-settings.ts");
  const found = settingNames.find((known) => known === name);
  if (found !== undefined) return found;
  throw inputError(
    `${JSON.stringify(name.slice(0, 40))} is not a setting: ${settingNames.join(", ")}`,
  );
}

/** The profile of the call, with its settings as they are stored. */
export async function storedSettings(
  context: CommandContext,
): Promise<{ readonly profile: string; readonly stored: StoredSettings }> {
  const { profile, profileSettings } = await context.settings();
  return { profile: profile.value, stored: profileSettings };
}

/** Changes the settings of the profile under its lock, and returns its name. */
export async function changeSettings(
  context: CommandContext,
  change: (settings: StoredSettings) => StoredSettings,
): Promise<string> {
  const [{ updateProfile }, settings] = await Promise.all([
    import("#local/configuration/profiles.ts"),
    context.settings(),
  ]);
  await updateProfile(profilePlace(settings), (profile) => ({
    ...profile,
    settings: change(profile.settings ?? {}),
  }));
  return settings.profile.value;
}
