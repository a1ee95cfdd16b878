import { shown } from "#cli/shown.ts";
import { resolve } from "node:path";
import type { Session } from "#auth/surface.ts";
import type { CommandTable } from "#cli/command.ts";
import type { Environment } from "#cli/environment.ts";
import { missingField } from "#cli/errors.ts";
import type { Output } from "#cli/output/output.ts";
import type { GlobalInput } from "#cli/run.ts";
import type { Client } from "#client/surface.ts";
import { proxyVariable } from "./sign-in/proxy-variable.ts";
import { given } from "#lib/given.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { version } from "#lib/version.ts";
import type { Settings } from "#local/surface.ts";
import type { SchemasOf } from "#cli/pages/describe.ts";
import type { ImportRequest, OpenedImport } from "#ui/surface.ts";
import type { Terminal } from "#ui/terminal.ts";

export interface ClientRequest {
  /** `--tenant-id`: an ID, or a slug of one of the caller's workspaces. */
  readonly workspace?: string | undefined;
}

export interface ContextHost {
  /** All commands, for those that describe the others. */
  table(): Promise<CommandTable>;
  /** The schemas of what all commands print. */
  schemas(): Promise<SchemasOf>;
  /** The real terminal, which only the dashboard needs; undefined in tests. */
  readonly openTerminal: (() => Terminal) | undefined;
  /** Runs `svc` in another environment, and resolves to the exit code. */
  runSvc(environment: Environment): Promise<number>;
  /** Opens a file of records for the dashboard's import form, as \`svc resources import\` does. */
  openImport(
    place: Pick<CommandContext, "environment" | "resolvePath">,
    request: ImportRequest,
  ): Promise<OpenedImport>;
}

/** The world of a command. Everything that takes time is a function, called only when needed. */
export interface CommandContext extends ContextHost {
  readonly environment: Environment;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** `--insecure-http`: whether a token may cross a network without encryption. */
  readonly insecureHttp: boolean;
  resolvePath(path: string): string;
  settings(): Promise<Settings>;
  session(): Promise<Session>;
  /** A client with this call's sign-in and workspace. Throws E303, E101 or E102 without them. */
  client(request?: ClientRequest): Promise<Client>;
  /** A client for routes that need no workspace. */
  clientWithoutWorkspace(): Promise<Client>;
  /** Returns this world with the platform, workspace and sign-in of another profile. */
  withProfile(profile: string): CommandContext;
  /** Returns this world with settings that no project's `.env.local` changes. */
  withoutProject(): CommandContext;
}

/** The hint when no workspace is named and none is selected. */
export const selectionHint = "Or choose a workspace once: `svc workspace select <workspace>`";

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

/** Reports the first use of a platform that a project's file names: projects come from others. */
async function announceAddress(
  { baseUrl, configDirectory }: Settings,
  output: Output,
): Promise<void> {
  if (baseUrl.source !== "project") return;
  const { isFirstUse } = await import("#local/configuration/used-addresses.ts");
  if (!(await isFirstUse(configDirectory.value, baseUrl.value))) return;
  await output.note(
    shown`First use of ${baseUrl.value}: this project's .env.local names it as the platform`,
  );
}

type Global = GlobalInput & { readonly readsProject?: boolean };

async function readSettings(environment: Environment, global: Global): Promise<Settings> {
  const { resolveSettings } = await import("#local/configuration/settings.ts");
  return resolveSettings({
    variables: environment.variables,
    currentDirectory: environment.currentDirectory,
    homeDirectory: environment.homeDirectory,
    flags: { profile: global.profile },
    readsProject: global.readsProject ?? true,
  });
}

async function openedSession(
  { fetch, signal, variables }: Environment,
  settings: Promise<Settings>,
  insecureHttp: boolean,
): Promise<Session> {
  const [{ openSession }, found] = await Promise.all([import("#auth/session.ts"), settings]);
  return openSession({
    configDirectory: found.configDirectory.value,
    profile: found.profile.value,
    baseUrl: found.baseUrl.value,
    baseUrlTrusted: found.baseUrlTrusted,
    environmentToken: variables["SVC_TOKEN"],
    insecureHttp,
    signal,
    ...given({ fetch }),
  });
}

type Opening = Pick<
  CommandContext,
  "environment" | "output" | "insecureHttp" | "session" | "settings"
>;

async function openedClient(context: Opening): Promise<Client> {
  const { fetch, onRequest, variables } = context.environment;
  const [{ createClient }, found, opened] = await Promise.all([
    import("#client/client.ts"),
    context.settings(),
    context.session(),
  ]);
  const { baseUrl } = found;
  await announceAddress(found, context.output);
  return createClient({
    baseUrl: baseUrl.value,
    // A token is asked for once a request is complete, just before it is sent.
    token: (rejected) => {
      onRequest?.();
      return opened.token(rejected);
    },
    insecureHttp: context.insecureHttp,
    readOnly: found.readOnly,
    userAgent: `svc/${version}`,
    proxyVariable:
      fetch === undefined ? proxyVariable(new URL(baseUrl.value), variables) : undefined,
    onDeprecation: (notice) => void context.output.note(shown`${notice.message}`),
    ...given({ fetch }),
  });
}

/** The ID of a named workspace, or of the selected one. */
async function workspaceIdOf(
  name: string | undefined,
  context: Pick<CommandContext, "clientWithoutWorkspace" | "session" | "settings" | "signal">,
): Promise<string> {
  if (name !== undefined) {
    const id = canonicalUuid(name);
    if (id !== undefined) return id;
    const { findWorkspace } = await import("./workspaces/find.ts");
    return (await findWorkspace(context, name)).id;
  }
  const selected = (await context.settings()).workspace;
  if (selected !== undefined) return selected.value.id;
  // Choosing a workspace needs a sign-in, so a missing sign-in is reported first.
  await (await context.session()).token();
  throw missingField("--tenant-id", selectionHint);
}

export function createContext(
  environment: Environment,
  output: Output,
  global: Global,
  { openTerminal, runSvc, schemas, table, openImport }: ContextHost,
): CommandContext {
  const { signal } = environment;
  const { insecureHttp } = global;
  const host = { openTerminal, runSvc, schemas, table, openImport };
  const settings = once(() => readSettings(environment, global));
  const session = once(() => openedSession(environment, settings(), insecureHttp));
  const opening = { environment, output, insecureHttp, session, settings };
  const clientWithoutWorkspace = once(() => openedClient(opening));
  return {
    ...opening,
    ...host,
    signal,
    resolvePath: (path) => resolve(environment.currentDirectory, path),
    clientWithoutWorkspace,
    withProfile: (profile) => createContext(environment, output, { ...global, profile }, host),
    withoutProject: () =>
      createContext(environment, output, { ...global, readsProject: false }, host),
    client: async ({ workspace } = {}) => {
      const client = await clientWithoutWorkspace();
      const known = { clientWithoutWorkspace, session, settings, signal };
      return client.forTenant(await workspaceIdOf(workspace, known));
    },
  };
}
