import { textOption } from "#cli/command.ts";
import { Shown, shown } from "#cli/shown.ts";
import { catalogError } from "#contract/errors.ts";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { systemErrorCode } from "#lib/system-error.ts";
import { version } from "#lib/version.ts";
import { command } from "./kit/command.ts";
import { written } from "./kit/output/written.ts";

const defaultFile = "SKILL.md";

/** `svc skill`: how to use the commands, for an agent, from the table of commands. */
export default command({
  path: "skill",
  summary: "Write a SKILL.md for agents that run svc",
  description:
    "The file has every command, the usual tasks and the rules for scripts in at most 5,000 " +
    "tokens. It is written to SKILL.md in this folder, or to the file of --output, and replaces " +
    "an earlier one of svc. An agent that cannot run commands takes `svc mcp`.",
  arguments: [],
  options: {
    output: textOption("file", "Write to this file; - prints it (default SKILL.md)"),
    force: { type: "boolean", description: "Replace a file that svc has not made" },
  },
  formats: false,
  examples: ["svc skill", "svc skill --output -"],
  // Its own tests run it: it prints no JSON.
  trials: [],
  async run({ options }, context) {
    const [table, { skillMark, skillPage }] = await Promise.all([
      context.table(),
      import("#cli/pages/skill.ts"),
    ]);
    const page = skillPage(table, version);
    const target = options.output ?? defaultFile;
    if (target === "-") {
      await context.output.page(Shown.block(page.trimEnd()));
      return;
    }
    const path = context.resolvePath(target);
    await written(target, async () => {
      if (!options.force && !(await isOwnOrMissing(path, skillMark))) {
        const hint = "Name another file with --output, or add --force";
        throw catalogError(
          "E205",
          { details: `${target} exists, and svc has not made it` },
          { hint },
        );
      }
      await writeFileAtomically(path, page, { mode: 0o644 });
    });
    await context.output.note(shown`Wrote ${target}`);
  },
});

const maximumBytes = 4 * 1024 * 1024;

/** True if there is no file, or one with the mark. */
async function isOwnOrMissing(path: string, mark: string): Promise<boolean> {
  try {
    return new TextDecoder().decode(await readRegularFile(path, maximumBytes)).includes(mark);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return true;
    if (systemErrorCode(error) === "EFBIG" || systemErrorCode(error) === "EFTYPE") return false;
    throw error;
  }
}
