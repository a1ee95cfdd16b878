import { inputError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { changeSettings, checkedName, settingArgument } from "./settings.ts";

export default command({
  path: "config set",
  summary: "Change a setting of the profile",
  description:
    "The value is JSON: true or false for read_only, mouse and pictures (which also takes " +
    '"kitty" or "sixel"), an object for aliases and hotkeys, a list for plugins. It replaces the ' +
    "setting.",
  arguments: [
    settingArgument,
    { name: "value", description: "JSON; `-` reads stdin, `@path` a file" },
  ],
  options: {},
  answer: ({ z }) => z.strictObject({ profile: z.string(), name: z.string(), value: z.unknown() }),
  examples: [
    "svc config set mouse true",
    `svc config set aliases '{"open": "planning-application status:open"}'`,
  ],
  trials: ["mouse true"],
  async run({ arguments: { name, value: given } }, context) {
    const [{ readText, requireJson }, { readSetting, SettingFault }] = await Promise.all([
      import("../kit/input/data.ts"),
      import("#ui/shell/profile/profile-settings.ts"),
    ]);
    const setting = await checkedName(name);
    const value = requireJson(await readText(context, given, "<value>"), "<value>");
    try {
      readSetting(setting, value);
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      throw inputError(`${setting} ${error.message}`);
    }
    const profile = await changeSettings(context, (settings) => ({ ...settings, [name]: value }));
    await context.output.data(
      { profile, name, value },
      () => shown`Set ${name} of the profile ${profile}`,
    );
  },
});
