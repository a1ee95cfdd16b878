import { resolve } from "node:path";
import type { Session } from "#auth/surface.ts";
import type { Environment } from "#cli/environment.ts";
import type { Output } from "#cli/output.ts";
import type { GlobalInput } from "#cli/run.ts";
import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import { version } from "#lib/version.ts";
import type { Settings } from "#local/surface.ts";
import type { Terminal } from "#ui/terminal.ts";
import { proxyVariable } from "#lib/proxy-variable.ts";
import { canonicalUuid } from "#lib/uuid.ts";

/** How a command asks for its client. */
export interface ClientRequest {
  /** `--tenant-id`: an ID, or a slug that is looked up among the caller's workspaces. */
  readonly workspace?: string | undefined;
}

/**
 * What a command sees of the world. Everything that costs time is a function, so that a command
 * that needs no settings, token or network never pays for them.
 */
export interface CommandContext {
  readonly environment: Environment;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** The real terminal, which only the dashboard needs; absent in tests. */
  readonly openTerminal: (() => Terminal) | undefined;
  /** A path as the user typed it, absolute. */
  resolvePath(path: string): string;
  settings(): Promise<Settings>;
  session(): Promise<Session>;
  /**
   * A client with the sign-in and the workspace of this call. When no workspace is chosen it throws
   * E303, or E101 or E102 where nobody is signed in either.
   */
  client(request?: ClientRequest): Promise<Client>;
  /** A client for routes that need no workspace. */
  clientWithoutWorkspace(): Promise<Client>;
}

/** What to do where no workspace is named and none is selected. */
export const selectionHint = "Or choose a workspace once: `svc workspace select <workspace>`";

/** Each lazy thing is made once a command. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

/** The context of one command call. */
export function createContext(
  environment: Environment,
  output: Output,
  global: GlobalInput,
  openTerminal?: () => Terminal,
): CommandContext {
  const { signal } = environment;
  const fetchOption = environment.fetch === undefined ? {} : { fetch: environment.fetch };

  const settings = once(async () => {
    const { resolveSettings } = await import("#local/settings.ts");
    return resolveSettings({
      variables: environment.variables,
      currentDirectory: environment.currentDirectory,
      homeDirectory: environment.homeDirectory,
      flags: { profile: global.profile },
    });
  });

  const session = once(async () => {
    const [{ openSession }, found] = await Promise.all([import("#auth/session.ts"), settings()]);
    return openSession({
      configDirectory: found.configDirectory.value,
      profile: found.profile.value,
      baseUrl: found.baseUrl.value,
      baseUrlTrusted: found.baseUrlTrusted,
      environmentToken: environment.variables["SVC_TOKEN"],
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
    return createClient({
      baseUrl: found.baseUrl.value,
      token: (rejected) => opened.token(rejected),
      userAgent: `svc/${version}`,
      proxyVariable: proxyVariable(new URL(found.baseUrl.value), environment.variables),
      onDeprecation: (notice) => void output.note(notice.message),
      ...fetchOption,
    });
  });

  const workspaceId = async (wanted: string | undefined): Promise<string> => {
    if (wanted !== undefined) {
      const id = canonicalUuid(wanted);
      if (id !== undefined) return id;
      const { findWorkspace } = await import("./workspace/find.ts");
      return (await findWorkspace({ clientWithoutWorkspace, signal }, wanted)).id;
    }
    const selected = (await settings()).workspace;
    if (selected === undefined) {
      // Choosing a workspace needs a sign-in as well: who lacks both has to hear of that one first.
      await (await session()).token();
      throw catalogError("E303", { field: "--tenant-id" }, { hint: selectionHint });
    }
    return selected.value.id;
  };

  return {
    environment,
    output,
    signal,
    openTerminal,
    resolvePath: (path) => resolve(environment.currentDirectory, path),
    settings,
    session,
    clientWithoutWorkspace,
    client: async (request = {}) => {
      const client = await clientWithoutWorkspace();
      return client.forTenant(await workspaceId(request.workspace));
    },
  };
}
