import { inputError, missingField } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { readText } from "../kit/input/data.ts";

export default command({
  path: "account password",
  summary: "Change your password, and end your other sessions",
  description:
    "Reads two lines from stdin: the present password and the new one. A terminal would show " +
    "them, so they come from a pipe or a file.",
  arguments: [],
  options: {},
  calls: ["identity.changePassword"],
  answer: "identity.changePassword",
  trials: [{ words: "", stdin: "password\nnew password\n", at: ["other", "stub"] }],
  async run(_input, context) {
    const { environment, output, signal } = context;
    const client = await context.clientWithoutWorkspace();
    if (environment.stdin.isTerminal) {
      throw missingField("stdin", "Pass two lines: the present password and the new one");
    }
    const text = await readText(context, "-", "stdin");
    const [currentPassword = "", newPassword = "", ...rest] = text.split(/\r?\n/);
    if (currentPassword === "" || newPassword === "" || rest.some((line) => line !== "")) {
      throw inputError("stdin must have two lines: the present password and the new one");
    }
    const body = { currentPassword, newPassword };
    const changed = await client.identity.changePassword({ body, signal });
    const count = String(changed.endedSessions ?? 0);
    await output.data(changed, () => shown`Changed the password; other sessions ended: ${count}`);
  },
});
