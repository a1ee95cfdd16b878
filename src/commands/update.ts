import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { registryWords } from "./project/registry.ts";
import type { FoundState } from "./update/found.ts";

/** `svc update`: the executable itself, and the managed files of a project (spec 9.4). */
export const updateCommand = command({
  path: "update",
  summary: "Install a newer version, and renew a project's managed files",
  description:
    "A newer version is installed when its signature is of this executable's release key and the " +
    "new executable runs; the old one is kept for --rollback. In a project the managed files are " +
    "then renewed, changed ones after a copy to `.svc/backup`, and compared with the template. " +
    "With --check nothing is changed, and the exit code is 1 when something is out of date. " +
    `${registryWords} SVC_RELEASES_URL names an address with the files of a release, which is ` +
    "asked when the registry does not answer.",
  arguments: [],
  options: {
    check: { type: "boolean", description: "Show what is out of date, and change nothing" },
    from: textOption("place", "Folder or https address with the files of a release"),
    rollback: { type: "boolean", description: "Swap the executable with the one before it" },
    "no-project-refresh": {
      type: "boolean",
      description: "Leave the files of the project alone",
    },
  },
  examples: [
    "svc update --check",
    "svc update --no-project-refresh",
    "svc update --from ./releases/0.2.0",
    "svc update --rollback",
  ],
  async run(input, context) {
    const { output, environment } = context;
    const { check, from, rollback } = input.options;
    if (rollback) {
      if (check || from !== undefined) {
        throw usageError("--rollback has no --check and no --from", "Use --rollback alone");
      }
      return await rolledBack(context);
    }
    const [{ foundUpdate }, { version }] = await Promise.all([
      import("./update/found.ts"),
      import("#lib/version.ts"),
    ]);
    const found = await foundUpdate(context, { from, isAsked: check });
    const { release } = environment;
    const isBehind = found?.state.isNewer === true;
    const installed =
      !check && isBehind && release !== undefined
        ? await (await import("./update/install.ts")).installRelease(context, release, found.source)
        : undefined;
    const project = input.options["no-project-refresh"]
      ? undefined
      : await refreshedProject(context, check, installed?.executable);
    const written = project?.files.filter(({ action }) => action === "written") ?? [];
    const isCurrent = !isBehind || installed !== undefined;
    const ok = isCurrent && (!check || written.length === 0) && project?.matches !== false;
    const update = found?.state;
    await output.data({ ok, version, update, installed, project }, () => [
      installed !== undefined
        ? shown`✓ svc ${installed.version} is installed; ${version} is kept for svc update --rollback`
        : update === undefined
          ? shown`svc ${version}`
          : shown`svc ${version}${stateWords(update)}`,
      ...written.map(({ path, backup }) =>
        backup === undefined ? shown`✓ ${path}` : shown`✓ ${path} (copy in ${backup})`,
      ),
    ]);
    if (project !== undefined && !check) {
      await output.note(
        project.matches
          ? shown`The project matches its template`
          : shown`The project differs from its template: svc template check`,
      );
    }
    return ok || (!check && project?.matches !== false) ? exitCodes.done : exitCodes.failed;
  },
});

function stateWords({ from, current, latest, isNewer }: FoundState): string {
  if (isNewer) return `: version ${latest} is available`;
  return latest === current ? ", the latest version" : `: newer than ${latest} in ${from}`;
}

async function rolledBack(context: CommandContext) {
  const { release } = context.environment;
  const { rollBack, unreleasedError } = await import("./update/install.ts");
  if (release === undefined) throw unreleasedError();
  const installed = await rollBack(context, release);
  await context.output.data({ ok: true, installed }, () => [
    shown`✓ svc ${installed.version} is in place again; svc update --rollback swaps them back`,
  ]);
  return exitCodes.done;
}

/**
 * Renews the managed files of the project, then compares it; undefined without a project. A newly
 * installed executable does it itself, since it holds the newer templates.
 */
async function refreshedProject(
  context: CommandContext,
  check: boolean,
  newExecutable: string | undefined,
) {
  const { project } = await context.settings();
  if (project === undefined) return undefined;
  const { compareFiles, readManifest, refreshFiles } = await import("#local/managed-files.ts");
  const manifest = await readManifest(project.root);
  if (manifest === undefined) return undefined;
  if (newExecutable !== undefined) {
    const { refreshedBy } = await import("./update/project.ts");
    return await refreshedBy(context, newExecutable);
  }
  const { projectFiles } = await import("#local/templates/project-files.ts");
  const files = await projectFiles(manifest.template, manifest);
  const refreshed = await refreshFiles(project.root, manifest, files, { check, force: true });
  const compared = await compareFiles(project.root, files, manifest);
  const matches = compared.every(({ kind, state }) => kind !== "managed" || state === "current");
  return { root: project.root, files: refreshed, matches };
}
