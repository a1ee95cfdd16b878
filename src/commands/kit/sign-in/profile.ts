import type { Membership } from "#contract/access/identity.ts";
import type { Settings } from "#local/surface.ts";
import type { CommandContext } from "../context.ts";

/** The profile that the settings apply to, and its folder. */
export function profilePlace({ configDirectory, profile }: Settings): {
  readonly configDirectory: string;
  readonly profile: string;
} {
  return { configDirectory: configDirectory.value, profile: profile.value };
}

/** The settings of a sign-in. The platform names the provider unless the user has named one. */
export function signInSettings(settings: Settings) {
  const { baseUrl, authUrl, baseUrlTrusted } = settings;
  return {
    ...profilePlace(settings),
    baseUrl: baseUrl.value,
    authUrl: authUrl.source === "default" ? undefined : authUrl.value,
    baseUrlTrusted,
    authUrlTrusted: authUrl.source !== "project",
  };
}

/**
 * Stores the platform and the provider of a sign-in in the profile, unless a project's `.env.local`
 * names them.
 */
export async function rememberPlatform(settings: Settings): Promise<void> {
  const { baseUrl, authUrl } = settings;
  const isGiven = ({ source }: Settings["baseUrl"]) =>
    source === "environment" || source === "flag";
  const keepsProvider = isGiven(authUrl) && baseUrl.source !== "project";
  if (!isGiven(baseUrl) && !keepsProvider) return;
  const { selectPlatform } = await import("#local/configuration/profiles.ts");
  await selectPlatform(
    profilePlace(settings),
    baseUrl.value,
    keepsProvider ? authUrl.value : undefined,
  );
}

/** Makes a workspace the profile's selected one, for the platform of this call. */
export async function rememberWorkspace(
  context: CommandContext,
  { id, slug, displayName }: Membership,
): Promise<{ id: string; slug: string }> {
  const [{ selectWorkspace }, settings] = await Promise.all([
    import("#local/configuration/profiles.ts"),
    context.settings(),
  ]);
  const { origin } = new URL(settings.baseUrl.value);
  const workspace = { id, slug, displayName, origin };
  await selectWorkspace({ ...profilePlace(settings), workspace });
  return { id, slug };
}
