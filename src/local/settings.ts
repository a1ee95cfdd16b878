import { authPath } from "#contract/sign-in.ts";
import { catalogError } from "#contract/errors.ts";
import { baseUrlText, BaseUrlError, parseBaseUrl, parsePlatformUrl } from "#lib/base-url.ts";
import { findConfigDirectory } from "./config-directory.ts";
import { checkProfileName, readProfile } from "./profiles.ts";
import { findProject } from "./project.ts";
import type { Profile, Project, Settings, SettingsInput, Sourced } from "./surface.ts";

/** Where `svc serve` listens unless it is told otherwise. */
export const defaultBaseUrl = "http://127.0.0.1:4400";
const defaultProfile = "default";
const baseUrlVariable = "BASE_URL_PUBLIC_API";

/**
 * Every setting with where it came from: flag, environment, project `.env.local`, profile, default
 * (interface.md, "Running the embedded platform"). Reads the disk, never the network. Throws E006
 * when a file or an address can't be used, E305 for a bad profile name.
 */
export async function resolveSettings(input: SettingsInput): Promise<Settings> {
  const { variables, flags = {} } = input;
  const configDirectory = findConfigDirectory(variables, input.homeDirectory);
  const profile = firstOf<string>(
    fromFlag(flags.profile, "--profile"),
    fromVariable(variables, "SVC_PROFILE"),
  ) ?? { value: defaultProfile, source: "default" };
  checkProfileName(profile.value);
  const [stored, project] = await Promise.all([
    readProfile({ configDirectory: configDirectory.value, profile: profile.value }),
    findProject(input.currentDirectory, input.homeDirectory),
  ]);
  const fromProfile = (value: string | undefined): Sourced<string> | undefined =>
    value === undefined ? undefined : { value, source: "profile", name: profile.value };

  const baseUrl = address(
    firstOf<string>(
      fromFlag(flags.baseUrl, "--base-url"),
      fromVariable(variables, baseUrlVariable),
      fromProject(project, baseUrlVariable),
      fromProfile(stored.baseUrl),
    ) ?? { value: defaultBaseUrl, source: "default" },
    parsePlatformUrl,
  );
  return {
    configDirectory,
    profile,
    baseUrl,
    authUrl: authUrlOf(baseUrl, stored, profile.value),
    baseUrlTrusted: baseUrl.source !== "project",
    workspace: workspaceOf(flags.tenantId, stored, baseUrl.value, profile.value),
    appKey: firstOf<string>(
      fromFlag(flags.appKey, "--app"),
      fromVariable(variables, "SVC_APP_KEY"),
      fromVariable(variables, "SVC_VERTICAL_KEY"),
      fromProject(project, "SVC_APP_KEY"),
      fromProject(project, "SVC_VERTICAL_KEY"),
    ),
    project,
    profileSettings: stored.settings ?? {},
  };
}

/** An address in normal form. Throws E006. */
function address(given: Sourced<string>, parse: (text: string) => URL): Sourced<string> {
  try {
    return { ...given, value: baseUrlText(parse(given.value)) };
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw catalogError("E006", { details: `${given.name ?? given.source} ${error.message}` });
  }
}

/** A profile's identity provider belongs to the profile's platform, not to any other. */
function authUrlOf(baseUrl: Sourced<string>, stored: Profile, profile: string): Sourced<string> {
  const sameOrigin =
    stored.baseUrl === undefined || originOf(stored.baseUrl) === originOf(baseUrl.value);
  if (stored.authUrl !== undefined && sameOrigin && baseUrl.source !== "project") {
    return address({ value: stored.authUrl, source: "profile", name: profile }, parseBaseUrl);
  }
  return { value: `${baseUrl.value}${authPath}`, source: "default" };
}

/** The chosen workspace is an ID on one platform: it says nothing on another. */
function workspaceOf(
  flag: string | undefined,
  stored: Profile,
  baseUrl: string,
  profile: string,
): Settings["workspace"] {
  if (flag !== undefined) return { value: { id: flag }, source: "flag", name: "--tenant-id" };
  if (stored.workspace === undefined) return undefined;
  const { origin, ...workspace } = stored.workspace;
  if (origin !== originOf(baseUrl)) return undefined;
  return { value: workspace, source: "profile", name: profile };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function firstOf<Value>(
  ...candidates: readonly (Sourced<Value> | undefined)[]
): Sourced<Value> | undefined {
  return candidates.find((candidate) => candidate !== undefined);
}

function fromFlag(value: string | undefined, name: string): Sourced<string> | undefined {
  return value === undefined ? undefined : { value, source: "flag", name };
}

function fromVariable(
  variables: Readonly<Record<string, string | undefined>>,
  name: string,
): Sourced<string> | undefined {
  const value = variables[name];
  return value === undefined || value === "" ? undefined : { value, source: "environment", name };
}

function fromProject(
  project: Project | undefined,
  name: keyof Project["variables"],
): Sourced<string> | undefined {
  const value = project?.variables[name];
  return value === undefined
    ? undefined
    : { value, source: "project", name: `.env.local: ${name}` };
}
