import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { textOption } from "#cli/command.ts";
import { Shown, shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { counted } from "#lib/text/counted.ts";
import { version } from "#lib/version.ts";
import { command } from "./kit/command.ts";
import { written } from "./kit/output/written.ts";

/** `svc man`: manual pages from the table of commands. */
export default command({
  path: "man",
  summary: "Print or write the manual pages",
  description:
    "Prints the page of svc, or of the command in the words, as roff: `svc man docs upload | man " +
    "-l -`. With --output it writes the page of every command into a folder, e.g. " +
    "~/.local/share/man/man1.",
  arguments: [{ name: "words", description: "Words of a command", optional: true, variadic: true }],
  options: { output: textOption("folder", "Write all pages into this folder") },
  formats: false,
  examples: ["svc man", "svc man docs upload"],
  trials: [],
  async run(input, context) {
    const { output } = context;
    const [table, { manName, manPages }] = await Promise.all([
      context.table(),
      import("#cli/pages/man.ts"),
    ]);
    const pages = manPages(table, version);
    const { words } = input.arguments;
    const target = input.options.output;
    if (target !== undefined) {
      if (words.length > 0) throw usageError("--output writes the pages of all commands");
      await writePages(context.resolvePath(target), target, pages);
      await output.note(shown`${counted(pages.size, "page")} in ${target}`);
      return;
    }
    const page = pages.get(manName(words.join(" ")));
    if (page === undefined) {
      const { unknownCommand } = await import("#cli/input/find.ts");
      throw unknownCommand(table, undefined, words);
    }
    await output.page(Shown.block(page.trimEnd()));
  },
});

/** Throws E305 when a page can't be written. */
async function writePages(
  folder: string,
  named: string,
  pages: ReadonlyMap<string, string>,
): Promise<void> {
  await written(named, async () => {
    await mkdir(folder, { recursive: true });
    for (const [name, page] of pages) {
      await writeFileAtomically(join(folder, name), page, { mode: 0o644 });
    }
  });
}
