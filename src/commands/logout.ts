import { tmpdir } from "node:os";
import { shown } from "#cli/shown.ts";
import { command } from "./kit/command.ts";
import { profilePlace } from "./kit/sign-in/profile.ts";

/** `svc logout`: deletes tokens.json and the selected workspaces (spec 5.4). */
export default command({
  path: "logout",
  summary: "Sign out: forget the tokens and the selected workspace",
  description:
    "Deletes the tokens of every profile and platform, the files that `svc docs open` has kept, " +
    "and what killed commands left. With --profile, or SVC_PROFILE, it signs out only that " +
    "profile.",
  arguments: [],
  options: {},
  answer: ({ z }) => z.strictObject({ signedOut: z.boolean() }),
  async run(_input, { environment, output, settings, signal }) {
    const found = await settings();
    const { configDirectory, profile } = profilePlace(found);
    const named = found.profile.source === "default" ? undefined : profile;
    const place = { configDirectory, profile: named };
    const [{ signOut }, { clearWorkspace }, { removeOpenedFiles }, folders] = await Promise.all([
      import("#auth/sign-out.ts"),
      import("#local/configuration/profiles.ts"),
      import("#local/configuration/opened-files.ts"),
      import("#lib/files/abandoned-folders.ts"),
    ]);
    const { wasSignedIn } = await signOut({ ...place, signal, fetch: environment.fetch });
    await clearWorkspace(place);
    await removeOpenedFiles(configDirectory);
    const { demoFolderPrefix, editFolderPrefix, removeAbandonedFolders } = folders;
    for (const prefix of [editFolderPrefix, demoFolderPrefix]) {
      await removeAbandonedFolders(tmpdir(), prefix);
    }
    await output.data({ signedOut: wasSignedIn }, () =>
      wasSignedIn ? shown`Signed out` : shown`You were not signed in`,
    );
    if ((environment.variables["SVC_TOKEN"] ?? "").trim() !== "") {
      await output.note(shown`SVC_TOKEN is still set, and commands use it`);
    }
  },
});
