import { CatalogError } from "#contract/errors.ts";
import { version } from "#lib/version.ts";
import type { CommandContext } from "../context.ts";
import { latestVersion } from "../project/registry.ts";
import { explained, unreleasedError } from "./install.ts";
import { openRelease, registryRelease, type ReleaseSource } from "./source.ts";

/** The versions here and at a source of releases. */
export interface FoundState {
  /** The folder or address. */
  readonly from: string;
  readonly current: string;
  readonly latest: string;
  readonly isNewer: boolean;
}

export interface FoundUpdate {
  readonly state: FoundState;
  readonly source: ReleaseSource;
}

/**
 * The latest version that `--from`, the registry or else SVC_RELEASES_URL has; undefined when none
 * of them is named. Throws E002 instead when `isAsked`.
 */
export async function foundUpdate(
  context: CommandContext,
  { from, isAsked }: { readonly from: string | undefined; readonly isAsked: boolean },
): Promise<FoundUpdate | undefined> {
  const { variables } = context.environment;
  const releases = variables["SVC_RELEASES_URL"] || undefined;
  const hasRegistry = (variables["SVC_REGISTRY_URL"] ?? "") !== "";
  if (from !== undefined) return await released(context, from);
  if (!hasRegistry && releases !== undefined) return await released(context, releases);
  if (!hasRegistry && !isAsked) return undefined;
  try {
    const { registry, ...state } = await latestVersion(context);
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
  if (release === undefined) throw unreleasedError();
  const source = await explained(release.executable, () => openRelease(context, from, release.key));
  const latest = source.version;
  const isNewer = Bun.semver.order(latest, version) > 0;
  return { state: { from, current: version, latest, isNewer }, source };
}
