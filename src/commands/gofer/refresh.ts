import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import { managedProject } from "../kit/projects/managed.ts";

/** `svc gofer refresh`: renews a project's managed files (spec 4.7). */
export default command({
  path: "gofer refresh",
  summary: "Renew the managed files of a project",
  description:
    "Managed files are the client library, the development server and the notes for " +
    "contributors. A file that you changed is kept; with --force a copy goes to `.svc/backup` " +
    "first. Exits with 1 when a file is kept, or with --check when one would change.",
  rows: ["files"],
  arguments: [],
  options: {
    check: { type: "boolean", description: "Show what would change, and change nothing" },
    force: { type: "boolean", description: "Also replace changed files, after a backup" },
  },
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      check: z.boolean(),
      root: z.string(),
      files: z.array(
        z.looseObject({ path: z.string(), action: z.string(), backup: z.string().optional() }),
      ),
    }),
  examples: ["svc gofer refresh --check", "svc gofer refresh --force"],
  trials: ["--check"],
  async run(input, context) {
    const { output } = context;
    const { check, force } = input.options;
    const { refreshFiles } = await import("#local/managed-files.ts");
    const { root, manifest, files } = await managedProject(context);
    const entries = await refreshFiles(root, manifest, files, { check, force });
    const written = entries.filter(({ action }) => action === "written").length;
    const kept = entries.filter(({ action }) => action === "kept").length;
    const ok = kept === 0 && (!check || written === 0);
    await output.data({ ok, check, root, files: entries }, () =>
      entries
        .filter(({ action }) => action !== "none")
        .map(({ path, state, action, backup }) => {
          const words = action === "kept" ? "changed by you, kept" : state;
          const note = backup === undefined ? "" : `, copy in ${backup}`;
          return shown`${action === "kept" ? "!" : "✓"} ${path} (${words}${note})`;
        }),
    );
    const verb = check ? "would be renewed" : "renewed";
    await output.note(shown`${counted(written, "file")} ${verb}, ${kept} kept`);
    return ok ? exitCodes.done : exitCodes.failed;
  },
});
