import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";

export default command({
  path: "config show",
  summary: "Show the settings of the profile",
  description:
    "The settings are read_only, mouse, aliases, hotkeys and plugins; the dashboard's own state " +
    "is not among them. --profile names another profile.",
  arguments: [],
  options: {},
  answer: ({ z }) =>
    z.strictObject({
      profile: z.string(),
      settings: z.record(z.string(), z.unknown()),
    }),
  examples: ["svc config show"],
  async run(_input, context) {
    const [{ storedSettings }, { settingNames }] = await Promise.all([
      import("./settings.ts"),
      import("#ui/shell/profile/profile-settings.ts"),
    ]);
    const { profile, stored } = await storedSettings(context);
    const known = settingNames.filter((name) => stored[name] !== undefined);
    const settings = Object.fromEntries(known.map((name) => [name, stored[name]]));
    await context.output.data({ profile, settings }, () =>
      known.length === 0
        ? shown`The profile ${profile} has no settings`
        : known.map((name) => shown`${name}: ${JSON.stringify(stored[name])}`),
    );
  },
});
