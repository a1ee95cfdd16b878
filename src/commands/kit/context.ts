import { shown } from "#cli/shown.ts";
import { resolve } from "node:path";
import type { Session } from "#auth/surface.ts";
import type { CommandTable } from "#cli/command.ts";
import type { Environment } from "#cli/environment.ts";
import { missingField } from "#cli/errors.ts";
import type { Output } from "#cli/output.ts";
import type { GlobalInput } from "#cli/run.ts";
import type { Client } from "#client/surface.ts";
import { proxyVariable } from "./sign-in/proxy-variable.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { version } from "#lib/version.ts";
import type { Settings } from "#local/surface.ts";
import type { Terminal } from "#ui/terminal.ts";

export interface ClientRequest {
  /** `--tenant-id`: an ID, or a slug of one of the caller's workspaces. */
  readonly workspace?: string | undefined;
}

export interface ContextHost {
  /** All commands, for those that describe the others. */
  table(): Promise<CommandTable>;
  /** The real terminal, which only the dashboard needs; undefined in tests. */
  readonly openTerminal: (() => Terminal) | undefined;
  /** Runs `svc` in another environment, and resolves to the exit code. */
  runSvc(environment: Environment): Promise<number>;
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
  /** The same world with the platform, workspace and sign-in of another profile. */
  withProfile(profile: string): CommandContext;
  /** The same world with settings that no project's `.env.local` changes. */
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
  const { isFirstUse } = await import("#local/used-addresses.ts");
  if (!(await isFirstUse(configDirectory.value, baseUrl.value))) return;
  await output.note(
    shown`First use of ${baseUrl.value}: this project's .env.local names it as the platform`,
  );
}

export function createContext(
  environment: Environment,
  output: Output,
  global: GlobalInput & { readonly readsProject?: boolean },
  { openTerminal, runSvc, table }: ContextHost,
): CommandContext {
  const { signal, variables } = environment;
  const { insecureHttp } = global;
  const fetchOption = environment.fetch === undefined ? {} : { fetch: environment.fetch };

  const settings = once(async () => {
    const { resolveSettings } = await import("#local/settings.ts");
    return resolveSettings({
      variables,
      currentDirectory: environment.currentDirectory,
      homeDirectory: environment.homeDirectory,
      flags: { profile: global.profile },
      readsProject: global.readsProject ?? true,
    });
  });

  const session = once(async () => {
    const [{ openSession }, found] = await Promise.all([import("#auth/session.ts"), settings()]);
    return openSession({
      configDirectory: found.configDirectory.value,
      profile: found.profile.value,
      baseUrl: found.baseUrl.value,
      baseUrlTrusted: found.baseUrlTrusted,
      environmentToken: variables["SVC_TOKEN"],
      insecureHttp,
      signal,
      ...fetchOption,
    });
  });

  const clientWithoutWorkspace = once(async () => {
    const [{ createClient }, found, opened] = await Promise.all([
      import("#client/client.ts"),
      settings(),
      session(),
    ]);
    const { baseUrl } = found;
    await announceAddress(found, output);
    return createClient({
      baseUrl: baseUrl.value,
      token: (rejected) => opened.token(rejected),
      insecureHttp,
      userAgent: `svc/${version}`,
      proxyVariable: proxyVariable(new URL(baseUrl.value), variables),
      onDeprecation: (notice) => void output.note(shown`${notice.message}`),
      ...fetchOption,
    });
  });

  const workspaceId = async (name: string | undefined): Promise<string> => {
    if (name !== undefined) {
      const id = canonicalUuid(name);
      if (id !== undefined) return id;
      const { findWorkspace } = await import("./workspaces/find.ts");
      return (await findWorkspace({ clientWithoutWorkspace, signal }, name)).id;
    }
    const selected = (await settings()).workspace;
    if (selected !== undefined) return selected.value.id;
    // Choosing a workspace needs a sign-in, so a missing sign-in is reported first.
    await (await session()).token();
    throw missingField("--tenant-id", selectionHint);
  };

  return {
    environment,
    output,
    signal,
    insecureHttp,
    openTerminal,
    runSvc,
    table,
    resolvePath: (path) => resolve(environment.currentDirectory, path),
    settings,
    session,
    clientWithoutWorkspace,
    withProfile: (profile) =>
      createContext(environment, output, { ...global, profile }, { openTerminal, runSvc, table }),
    withoutProject: () =>
      createContext(
        environment,
        output,
        { ...global, readsProject: false },
        { openTerminal, runSvc, table },
      ),
    client: async (request = {}) => {
      const client = await clientWithoutWorkspace();
      return client.forTenant(await workspaceId(request.workspace));
    },
  };
}
