import { command } from "../kit/command.ts";
import { chosenRole, roleOptions, roleWords } from "../kit/roles.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { keyArgument, keyIdOf } from "./keys.ts";

export default command({
  path: "key role",
  summary: "Change the role of an API key in a workspace",
  arguments: [keyArgument],
  options: {
    ...roleOptions,
    workspace: workspaceOption,
  },
  calls: ["keys.setRole"],
  answer: "keys.setRole",
  trials: ["{key} --role tenant-staff", { words: "key:17 --role tenant-staff", at: ["other"] }],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const keyId = keyIdOf(input.arguments.key);
    const body = chosenRole(options);
    const client = await context.client({ workspace: options.workspace });
    const key = await client.keys.setRole({ params: { keyId }, body, signal });
    await output.data(key, () =>
      output.fields([
        ["id", key.keyId],
        ["name", key.name],
        ["role", roleWords(key)],
      ]),
    );
  },
});
