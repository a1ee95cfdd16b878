import type { Membership } from "#contract/identity.ts";
import type { CommandContext } from "../context.ts";

/** Makes a workspace the profile's selected one, for the origin it was found on. */
export async function rememberWorkspace(
  context: CommandContext,
  chosen: Membership,
): Promise<{ id: string; slug: string }> {
  const [{ selectWorkspace }, settings] = await Promise.all([
    import("#local/profiles.ts"),
    context.settings(),
  ]);
  const { id, slug, displayName } = chosen;
  await selectWorkspace({
    configDirectory: settings.configDirectory.value,
    profile: settings.profile.value,
    workspace: { id, slug, displayName, origin: new URL(settings.baseUrl.value).origin },
  });
  return { id, slug };
}
