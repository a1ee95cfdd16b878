import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { registryWords } from "./project/registry.ts";

/** `svc update`: the version of the client, and the managed files of a project (spec 9.4). */
export const updateCommand = command({
  path: "update",
  summary: "Renew a project's managed files, and look for a newer version",
  description:
    "In a project the managed files are renewed, changed ones after a copy to `.svc/backup`, and " +
    "compared with the template. With --check nothing is changed, and the exit code is 1 when " +
    `something is out of date. ${registryWords}`,
  arguments: [],
  options: {
    check: { type: "boolean", description: "Show what is out of date, and change nothing" },
    "no-project-refresh": {
      type: "boolean",
      description: "Leave the files of the project alone",
    },
  },
  examples: ["svc update --check", "svc update --no-project-refresh"],
  async run(input, context) {
    const { output, environment } = context;
    const { check } = input.options;
    const hasRegistry = (environment.variables["SVC_REGISTRY_URL"] ?? "") !== "";
    const [{ latestVersion }, { version }] = await Promise.all([
      import("./project/registry.ts"),
      import("#lib/version.ts"),
    ]);
    const update = hasRegistry || check ? await latestVersion(context) : undefined;
    const project = input.options["no-project-refresh"]
      ? undefined
      : await refreshedProject(context, check);
    const written = project?.files.filter(({ action }) => action === "written") ?? [];
    const isBehind = update?.isNewer === true;
    const ok = !isBehind && (!check || written.length === 0) && project?.matches !== false;
    await output.data({ ok, version, update, project }, () => [
      update === undefined
        ? shown`svc ${version}`
        : shown`svc ${version}${update.isNewer ? `: version ${update.latest} is available` : ", the latest version"}`,
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

/** Renews the managed files of the project, then compares it; undefined without a project. */
async function refreshedProject(context: CommandContext, check: boolean) {
  const { project } = await context.settings();
  if (project === undefined) return undefined;
  const { compareFiles, readManifest, refreshFiles } = await import("#local/managed-files.ts");
  const manifest = await readManifest(project.root);
  if (manifest === undefined) return undefined;
  const { projectFiles } = await import("#local/templates/project-files.ts");
  const files = await projectFiles(manifest.template, manifest);
  const refreshed = await refreshFiles(project.root, manifest, files, { check, force: true });
  const compared = await compareFiles(project.root, files, manifest);
  const matches = compared.every(({ kind, state }) => kind !== "managed" || state === "current");
  return { root: project.root, files: refreshed, matches };
}
