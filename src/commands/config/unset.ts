import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { changeSettings, checkedName, settingArgument } from "./settings.ts";

export default command({
  path: "config unset",
  summary: "Remove a setting of the profile",
  arguments: [settingArgument],
  options: {},
  answer: ({ z }) => z.strictObject({ profile: z.string(), name: z.string() }),
  examples: ["svc config unset mouse"],
  trials: ["mouse"],
  async run({ arguments: { name } }, context) {
    await checkedName(name);
    const profile = await changeSettings(context, ({ [name]: _removed, ...settings }) => settings);
    await context.output.data(
      { profile, name },
      () => shown`Removed ${name} of the profile ${profile}`,
    );
  },
});
