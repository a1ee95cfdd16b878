import { catalogError, type CatalogError } from "#contract/errors.ts";
import { proxyHint } from "#lib/network/proxy-refusal.ts";
import { parseBaseUrl, BaseUrlError, baseUrlText } from "#lib/network/base-url.ts";
import { readBoundedText } from "#lib/network/bounded-body.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import { isLoopback, networkFetch } from "#lib/network/network-fetch.ts";
import { commandPackage, registryPath } from "#lib/packages.ts";
import { isVersion, version } from "#lib/version.ts";
import type { CommandContext } from "../context.ts";

const registryVariable = "SVC_REGISTRY_URL";
const limitMs = 15_000;
const maximumBytes = 1024 * 1024;

export const registryWords =
  `The registry's address is in ${registryVariable}, which a project's files can't set; without ` +
  "it nothing is asked.";

export interface UpdateState {
  readonly registry: string;
  readonly current: string;
  readonly latest: string;
  readonly isNewer: boolean;
}

/** E002: no address names a source of releases. */
export function noRegistryError(): CatalogError {
  const hint =
    `No newer version was looked for. Set ${registryVariable} or SVC_RELEASES_URL, or name a ` +
    "folder or an address: `svc update --from`";
  return catalogError("E002", { var: registryVariable }, { hint });
}

/** The latest version at the registry. Throws E002 without an address, E201 or E203. */
export async function latestVersion({ environment, signal }: CommandContext): Promise<UpdateState> {
  const given = environment.variables[registryVariable] ?? "";
  if (given === "") throw noRegistryError();
  let registry: string;
  try {
    const url = parseBaseUrl(given);
    if (url.protocol !== "https:" && !isLoopback(url)) throw new BaseUrlError("must be https");
    registry = baseUrlText(url);
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw catalogError("E006", { details: `${registryVariable} ${error.message}` });
  }
  const request = new Request(`${registry}/${registryPath(commandPackage)}/latest`, {
    redirect: "manual",
    headers: { accept: "application/json", "user-agent": `svc/${version}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
  });
  let response: Response;
  let text: string;
  try {
    response = await (environment.fetch ?? networkFetch)(request);
    text = await readBoundedText(response, maximumBytes, { limitMs });
  } catch (error) {
    if (signal.aborted) throw error;
    const hint = proxyHint(error) ?? `Check ${registryVariable}`;
    throw catalogError("E201", { url: registry }, { cause: error, hint });
  }
  const latest = filledText(membersOf(parsedJson(text))?.get("version"));
  if (!response.ok || latest === undefined || !isVersion(latest)) {
    const details = `the registry answered ${response.status} without a version`;
    throw catalogError("E203", { details }, { status: response.status });
  }
  return { registry, current: version, latest, isNewer: Bun.semver.order(latest, version) > 0 };
}
