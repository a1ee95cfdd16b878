import { command } from "./command.ts";

/** `svc logout`: deletes the tokens and the selected workspace (spec 5.4). */
export const logoutCommand = command({
  path: "logout",
  summary: "Sign out: forget the tokens and the selected workspace",
  arguments: [],
  options: {},
  async run(_input, context) {
    const settings = await context.settings();
    const [{ signOut }, { clearWorkspace }] = await Promise.all([
      import("#auth/sign-out.ts"),
      import("#local/profiles.ts"),
    ]);
    const place = {
      configDirectory: settings.configDirectory.value,
      profile: settings.profile.value,
    };
    const { wasSignedIn } = await signOut({
      ...place,
      signal: context.signal,
      fetch: context.environment.fetch,
    });
    await clearWorkspace(place);
    await context.output.data({ signedOut: wasSignedIn }, () =>
      wasSignedIn ? "Signed out" : "You were not signed in",
    );
  },
});
