import { parsedJson } from "#lib/json-value.ts";
import type { CommandContext } from "../context.ts";

const limitMs = 60_000;

/** The result of an update for a project. */
export interface RefreshedProject {
  readonly root: string;
  readonly files: readonly {
    readonly path: string;
    readonly action: string;
    readonly backup?: string | undefined;
  }[];
  readonly matches: boolean;
}

/** The project, renewed by another executable; undefined when that has no report. */
export async function refreshedBy(
  { environment, signal }: CommandContext,
  executable: string,
): Promise<RefreshedProject | undefined> {
  // Without an address of releases the command renews the project only.
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
