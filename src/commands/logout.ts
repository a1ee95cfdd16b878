import { command } from "./command.ts";
import { profilePlace } from "./sign-in/profile.ts";

export const logoutCommand = command({
  path: "logout",
  summary: "Sign out: forget the tokens and the selected workspace",
  arguments: [],
  options: {},
  async run(_input, { environment, output, settings, signal }) {
    const place = profilePlace(await settings());
    const [{ signOut }, { clearWorkspace }] = await Promise.all([
      import("#auth/sign-out.ts"),
      import("#local/profiles.ts"),
    ]);
    const { wasSignedIn } = await signOut({ ...place, signal, fetch: environment.fetch });
    await clearWorkspace(place);
    await output.data({ signedOut: wasSignedIn }, () =>
      wasSignedIn ? "Signed out" : "You were not signed in",
    );
  },
});
