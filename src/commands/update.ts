import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { exitCodes, CatalogError } from "#contract/errors.ts";
import { version } from "#lib/version.ts";
import { parsedJson } from "#lib/json/value.ts";
import { command } from "./kit/command.ts";
import type { CommandContext } from "./kit/context.ts";
import { latestVersion, noRegistryError, registryWords } from "./kit/projects/registry.ts";
import type { ReleaseSource } from "./update/source.ts";

const limitMs = 60_000;

/** The result of an update for a project. */
interface RefreshedProject {
  readonly root: string;
  readonly files: readonly {
    readonly path: string;
    readonly action: string;
    readonly backup?: string | undefined;
  }[];
  readonly matches: boolean;
}

/** The versions here and at a source of releases. */
interface FoundState {
  /** Folder or address of the release. */
  readonly from: string;
  readonly current: string;
  readonly latest: string;
  readonly isNewer: boolean;
}

interface FoundUpdate {
  readonly state: FoundState;
  readonly source: ReleaseSource;
}

/** `svc update`: the executable itself, and the managed files of a project (spec 9.4). */
export default command({
  path: "update",
  summary: "Install a newer version, and renew a project's managed files",
  description:
    "A newer version is installed when its signature is of this executable's release key and the " +
    "new executable runs; the old one is kept for --rollback. In a project the managed files are " +
    "then renewed, changed ones after a copy to `.svc/backup`, and compared with the template. " +
    "With --check nothing is changed, and the exit code is 1 when something is out of date, or " +
    `when no source of releases is named. ${registryWords} SVC_RELEASES_URL names an address with the files of a release, which is ` +
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
  answer: ({ z }) => {
    const file = z.looseObject({
      path: z.string(),
      action: z.string(),
      backup: z.string().optional(),
    });
    return z.looseObject({
      ok: z.boolean(),
      version: z.string(),
      update: z.looseObject({ latest: z.string(), isNewer: z.boolean() }).optional(),
      project: z
        .strictObject({ root: z.string(), files: z.array(file), matches: z.boolean() })
        .optional(),
    });
  },
  examples: [
    "svc update --check",
    "svc update --no-project-refresh",
    "svc update --from ./releases/0.2.0",
    "svc update --rollback",
  ],
  trials: [],
  async run(input, context) {
    const { output, environment } = context;
    const { check, from, rollback } = input.options;
    if (rollback) {
      if (check || from !== undefined) {
        throw usageError("--rollback has no --check and no --from", "Use --rollback alone");
      }
      return await rolledBack(context);
    }
    const found = await foundUpdate(context, from);
    if (found === undefined && check) throw noRegistryError();
    const { release } = environment;
    const isBehind = found?.state.isNewer === true;
    const installed =
      !check && isBehind && release !== undefined
        ? await (await installation()).installRelease(context, release, found.source)
        : undefined;
    const project = input.options["no-project-refresh"]
      ? undefined
      : await refreshedProject(context, check, installed?.executable);
    if (found === undefined && project === undefined) throw noRegistryError();
    const written = project?.files.filter(({ action }) => action === "written") ?? [];
    const isCurrent = found !== undefined && (!isBehind || installed !== undefined);
    const ok = isCurrent && (!check || written.length === 0) && project?.matches !== false;
    const update = found?.state;
    const kept = `${version} is kept for svc update --rollback`;
    await output.data({ ok, version, update, installed, project }, () => [
      installed !== undefined
        ? shown`✓ svc ${installed.version} is installed; ${kept}`
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
    if (found === undefined) {
      const { message, hint } = noRegistryError();
      await output.note(shown`${message}. ${hint ?? ""}`);
      return exitCodes.failed;
    }
    return ok || (!check && project?.matches !== false) ? exitCodes.done : exitCodes.failed;
  },
});

function stateWords({ from, current, latest, isNewer }: FoundState): string {
  if (isNewer) return `: version ${latest} is available`;
  return latest === current ? ", the latest version" : `: newer than ${latest} in ${from}`;
}

/** The part that installs loads a library that reads what a release needs. */
function installation() {
  return import("./update/install.ts");
}

async function rolledBack(context: CommandContext) {
  const { release } = context.environment;
  const { rollBack, unreleasedError } = await installation();
  if (release === undefined) throw unreleasedError();
  const installed = await rollBack(context, release);
  await context.output.data({ ok: true, installed }, () => [
    shown`✓ svc ${installed.version} is in place again; svc update --rollback swaps them back`,
  ]);
  return exitCodes.done;
}

/**
 * Renews the managed files of the project, then compares it; undefined without a project. A newly
 * installed executable does it itself, since it has the newer templates.
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
  if (newExecutable !== undefined) return await refreshedBy(context, newExecutable);
  const { projectFiles } = await import("#local/templates/project-files.ts");
  const files = await projectFiles(manifest.template, manifest);
  const refreshed = await refreshFiles(project.root, manifest, files, { check, force: true });
  const compared = await compareFiles(project.root, files, manifest);
  const matches = compared.every(({ kind, state }) => kind !== "managed" || state === "current");
  return { root: project.root, files: refreshed, matches };
}

/**
 * The latest version that `--from`, the registry or else SVC_RELEASES_URL has; undefined when none
 * of them is named.
 */
async function foundUpdate(
  context: CommandContext,
  from: string | undefined,
): Promise<FoundUpdate | undefined> {
  const { variables } = context.environment;
  const releases = variables["SVC_RELEASES_URL"] || undefined;
  const hasRegistry = (variables["SVC_REGISTRY_URL"] ?? "") !== "";
  if (from !== undefined) return await released(context, from);
  if (!hasRegistry && releases !== undefined) return await released(context, releases);
  if (!hasRegistry) return undefined;
  try {
    const { registry, ...state } = await latestVersion(context);
    const { registryRelease } = await import("./update/source.ts");
    const source = registryRelease(context, registry, state.latest);
    return { state: { from: registry, ...state }, source };
  } catch (error) {
    const isSilent =
      error instanceof CatalogError && (error.code === "E201" || error.code === "E203");
    if (!isSilent || releases === undefined) throw error;
    return await released(context, releases);
  }
}

async function released(context: CommandContext, from: string): Promise<FoundUpdate> {
  const { release } = context.environment;
  const { explained, unreleasedError } = await installation();
  if (release === undefined) throw unreleasedError();
  const { openRelease } = await import("./update/source.ts");
  const source = await explained(release.executable, () => openRelease(context, from, release.key));
  const latest = source.version;
  const isNewer = Bun.semver.order(latest, version) > 0;
  return { state: { from, current: version, latest, isNewer }, source };
}

/** The project, renewed by another executable; undefined when that has no report. */
async function refreshedBy(
  { environment, signal }: CommandContext,
  executable: string,
): Promise<RefreshedProject | undefined> {
  // The command renews only the project when no address of releases is set.
  const { SVC_REGISTRY_URL, SVC_RELEASES_URL, ...variables } = environment.variables;
  void [SVC_REGISTRY_URL, SVC_RELEASES_URL];
  const child = Bun.spawn([executable, "update", "--format", "json"], {
    cwd: environment.currentDirectory,
    env: variables,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: limitMs,
    signal,
  });
  const report = parsedJson(await child.stdout.text());
  await child.exited;
  return isReport(report) ? report.project : undefined;
}

function isReport(value: unknown): value is { readonly project?: RefreshedProject } {
  if (typeof value !== "object" || value === null) return false;
  if (!("project" in value)) return true;
  const { project } = value;
  if (typeof project !== "object" || project === null) return false;
  return "files" in project && Array.isArray(project.files) && "matches" in project;
}
