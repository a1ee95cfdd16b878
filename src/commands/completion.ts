import { shown } from "#cli/shown.ts";
import { command } from "./kit/command.ts";

/** `svc completion <shell>`: the script that a shell loads. */
export default command({
  path: "completion",
  summary: "Print the completion script of a shell",
  description:
    "The shell is bash, zsh, fish or powershell. The script asks svc for the words, so that it " +
    "knows workspaces, Object Types, records and documents. They are kept for a minute in the " +
    "configuration folder.\n\n" +
    'bash: `eval "$(svc completion bash)"` in ~/.bashrc\n' +
    'zsh: `svc completion zsh > "${fpath[1]}/_svc"`, or `eval "$(svc completion zsh)"` after ' +
    "`compinit`\n" +
    "fish: `svc completion fish > ~/.config/fish/completions/svc.fish`\n" +
    "PowerShell: `svc completion powershell | Out-String | Invoke-Expression` in $PROFILE",
  arguments: [{ name: "shell", description: "bash, zsh, fish or powershell" }],
  options: {},
  formats: false,
  examples: ["svc completion bash"],
  trials: [],
  async run(input, { output }) {
    const [{ completionScript, shells }, { usageFormatError }] = await Promise.all([
      import("#cli/completion/scripts.ts"),
      import("#cli/errors.ts"),
    ]);
    const typed = input.arguments.shell === "pwsh" ? "powershell" : input.arguments.shell;
    const shell = shells.find((known) => known === typed);
    if (shell === undefined) throw usageFormatError(`<shell> "${typed}"`, shells.join(", "));
    if (output.stdoutIsTerminal) {
      await output.note(shown`The script is for the shell: see svc completion --help`);
    }
    await output.lines(completionScript(shell));
  },
});
