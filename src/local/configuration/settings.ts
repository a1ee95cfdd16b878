import { authPath } from "#contract/access/sign-in.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import {
  baseUrlText,
  BaseUrlError,
  parseBaseUrl,
  parsePlatformUrl,
} from "#lib/network/base-url.ts";
import { lstat, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { checkProfileName, readProfile } from "./profiles.ts";
import type {
  Profile,
  ProjectVariable,
  Settings,
  SettingsInput,
  Sourced,
  Project,
} from "../surface.ts";
import { readProjectVariables } from "../env/file.ts";

const configFolder = "src/eai.config";
const envFile = ".env.local";
const deepestSearch = 64;

type Kind = "file" | "folder" | "broken link";

/** The default address of `svc serve`. */
export const defaultBaseUrl = "http://127.0.0.1:4400";
const defaultProfile = "default";
const baseUrlVariable = "BASE_URL_PUBLIC_API";
const authUrlVariable = "SVC_AUTH_URL";

/**
 * Every setting with its source. Throws E003 or E005 (`.env.local`), E006 (file or URL) or E305
 * (profile name).
 */
export async function resolveSettings(input: SettingsInput): Promise<Settings> {
  const { variables, flags = {} } = input;
  const configDirectory = findConfigDirectory(variables, input.homeDirectory);
  const fromVariable = (name: string) => sourced(variables[name] || undefined, "environment", name);
  const profile: Sourced<string> = sourced(flags.profile, "flag", "--profile") ??
    fromVariable("SVC_PROFILE") ?? { value: defaultProfile, source: "default" };
  checkProfileName(profile.value);
  const [stored, project] = await Promise.all([
    readProfile({ configDirectory: configDirectory.value, profile: profile.value }),
    input.readsProject === false
      ? undefined
      : findProject(input.currentDirectory, input.homeDirectory),
  ]);
  const fromProject = (name: ProjectVariable) =>
    sourced(project?.variables[name], "project", `.env.local: ${name}`);

  const baseUrl = normalUrl(
    sourced(flags.baseUrl, "flag", "--base-url") ??
      fromVariable(baseUrlVariable) ??
      fromProject(baseUrlVariable) ??
      sourced(stored.baseUrl, "profile", profile.value) ?? {
        value: defaultBaseUrl,
        source: "default",
      },
    parsePlatformUrl,
  );
  return {
    configDirectory,
    profile,
    baseUrl,
    authUrl:
      givenAuthUrl(fromVariable(authUrlVariable) ?? fromProject(authUrlVariable)) ??
      authUrlOf(baseUrl, stored, profile.value),
    baseUrlTrusted: baseUrl.source !== "project",
    workspace: workspaceOf(flags.tenantId, stored, baseUrl.value, profile.value),
    appKey:
      sourced(flags.appKey, "flag", "--app") ??
      fromVariable("SVC_APP_KEY") ??
      fromVariable("SVC_VERTICAL_KEY") ??
      fromProject("SVC_APP_KEY") ??
      fromProject("SVC_VERTICAL_KEY"),
    project,
    readOnly: readOnlyReason(profile.value, stored.settings?.["read_only"]),
    profileSettings: stored.settings ?? {},
  };
}

/** Why the profile changes nothing; a value that is neither true nor false keeps changes away. */
function readOnlyReason(profile: string, value: unknown = false): string | undefined {
  if (value === false) return undefined;
  const why = value === true ? "is read-only" : "has a read_only that is neither true nor false";
  return `the profile ${profile} ${why}; \`svc config unset read_only\` allows changes`;
}

/** A URL in normal form. Throws E006, with the exit code of wrong usage for an option. */
function normalUrl(given: Sourced<string>, parse: (text: string) => URL): Sourced<string> {
  try {
    return { ...given, value: baseUrlText(parse(given.value)) };
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    const details = `${given.name ?? given.source} ${error.message}`;
    const usage = given.source === "flag" ? { exitCode: exitCodes.usage } : {};
    throw catalogError("E006", { details }, usage);
  }
}

/** The settings with the identity provider of `--auth-url`, if it is given. Throws E006. */
export function withAuthUrl(settings: Settings, flag: string | undefined): Settings {
  const authUrl = givenAuthUrl(sourced(flag, "flag", "--auth-url"));
  return authUrl === undefined ? settings : { ...settings, authUrl };
}

function givenAuthUrl(given: Sourced<string> | undefined): Sourced<string> | undefined {
  return given === undefined ? undefined : normalUrl(given, parseBaseUrl);
}

/** The profile's identity provider applies to the profile's platform only. */
function authUrlOf(baseUrl: Sourced<string>, stored: Profile, profile: string): Sourced<string> {
  const sameOrigin =
    stored.baseUrl === undefined || originOf(stored.baseUrl) === originOf(baseUrl.value);
  if (stored.authUrl !== undefined && sameOrigin && baseUrl.source !== "project") {
    return normalUrl({ value: stored.authUrl, source: "profile", name: profile }, parseBaseUrl);
  }
  return { value: `${baseUrl.value}${authPath}`, source: "default" };
}

/** The stored workspace applies to one platform only. */
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

function sourced(
  value: string | undefined,
  source: Sourced<string>["source"],
  name: string,
): Sourced<string> | undefined {
  return value === undefined ? undefined : { value, source, name };
}

/**
 * The nearest folder up to the home directory with `src/eai.config/` or `.env.local`. Throws E003
 * for an `.env.local` that links to a missing file, and E005 for one that is a folder.
 */
async function findProject(
  currentDirectory: string,
  homeDirectory: string,
): Promise<Project | undefined> {
  const home = resolve(homeDirectory);
  let folder = resolve(currentDirectory);
  for (let depth = 0; depth < deepestSearch; depth += 1) {
    const paths = { config: join(folder, configFolder), env: join(folder, envFile) };
    const [config, env] = await Promise.all([kindOf(paths.config), kindOf(paths.env)]);
    if (env === "broken link") throw catalogError("E003", { file: paths.env });
    if (env === "folder") {
      throw catalogError("E005", {}, { hint: `${paths.env} is a folder; a file is expected` });
    }
    const hasConfig = config !== undefined;
    if (hasConfig || env === "file") {
      return {
        root: folder,
        configDirectory: config === "folder" ? paths.config : undefined,
        ...faultOf(paths.config, config),
        envFile: env === "file" ? paths.env : undefined,
        variables: env === "file" ? await readProjectVariables(paths.env) : {},
      };
    }
    const parent = dirname(folder);
    if (parent === folder || folder === home) return undefined;
    folder = parent;
  }
  return undefined;
}

function faultOf(path: string, kind: Kind | undefined): Pick<Project, "fault"> {
  const isFine = kind === undefined || kind === "folder";
  return isFine ? {} : { fault: `${path} is a ${kind}; a folder is expected` };
}

/** Undefined for nothing, and for a pipe or a device, which are not read. */
async function kindOf(path: string): Promise<Kind | undefined> {
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) return "folder";
    return facts.isFile() ? "file" : undefined;
  } catch {
    const facts = await lstat(path).catch(() => undefined);
    return facts?.isSymbolicLink() === true ? "broken link" : undefined;
  }
}

/** The folder of tokens and profiles: `SVC_CONFIG_DIR`, else `~/.svc`. It is not created here. */
export function findConfigDirectory(
  variables: Readonly<Record<string, string | undefined>>,
  homeDirectory: string,
): Sourced<string> {
  const given = variables["SVC_CONFIG_DIR"];
  if (given !== undefined && given !== "") {
    requireAbsolute("SVC_CONFIG_DIR", given);
    return { value: resolve(given), source: "environment", name: "SVC_CONFIG_DIR" };
  }
  requireAbsolute("HOME", homeDirectory);
  return { value: join(homeDirectory, ".svc"), source: "default" };
}

/** A relative path would depend on the current folder, which may be a foreign project. */
function requireAbsolute(name: string, path: string): void {
  if (isAbsolute(path)) return;
  throw catalogError("E006", { details: `${name} must be an absolute path` });
}
