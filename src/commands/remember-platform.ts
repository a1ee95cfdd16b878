import type { Settings } from "#local/surface.ts";

/**
 * Later calls of this profile find the platform that it is signed in to. A project's `.env.local`
 * speaks for its own folder only, and is followed nowhere else.
 */
export async function rememberPlatform(settings: Settings): Promise<void> {
  const { baseUrl, configDirectory, profile } = settings;
  if (baseUrl.source !== "environment" && baseUrl.source !== "flag") return;
  const { selectPlatform } = await import("#local/profiles.ts");
  const place = { configDirectory: configDirectory.value, profile: profile.value };
  await selectPlatform(place, baseUrl.value);
}
