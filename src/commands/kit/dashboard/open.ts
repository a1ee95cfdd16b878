import type { SayWhere } from "#auth/surface.ts";
import type { Client } from "#client/surface.ts";
import { inputError } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { isLoopbackHost } from "#lib/network/loopback.ts";
import { proxyVariable } from "../sign-in/proxy-variable.ts";
import type { Settings } from "#local/surface.ts";
import type {
  ClientRequest,
  DashboardActions,
  DashboardOptions,
  DashboardSession,
  SignInRequest,
} from "#ui/surface.ts";
import type { CommandTarget } from "#ui/kit/text/command-line.ts";
import type { CommandContext } from "../context.ts";
import { localKey, openKeptStore, type KeptStore } from "./kept-store.ts";
import { LocalPlatform, type StartedPlatform } from "../platform/local-platform.ts";
import type { Terminal } from "#ui/terminal.ts";
import { openBrowser } from "../sign-in/browser.ts";
import { profilePlace, rememberPlatform, signInSettings } from "../sign-in/profile.ts";

/** The dashboard's access to settings, sign-in and a local platform. */
class DashboardHost {
  readonly #context: CommandContext;
  readonly #local: LocalPlatform;
  readonly #isDemo: boolean;
  readonly #kept: KeptStore;
  #settings: Settings;
  /** The address of the user's platform in another process, once this one has joined it. */
  #joined: string | undefined;

  constructor(
    context: CommandContext,
    settings: Settings,
    { isDemo, kept }: { readonly isDemo: boolean; readonly kept: KeptStore },
  ) {
    this.#kept = kept;
    this.#context = context;
    this.#settings = settings;
    this.#isDemo = isDemo;
    this.#local = new LocalPlatform(context.environment, async () => {
      const { documentation } = await import("../site/documentation.ts");
      return documentation(context);
    });
  }

  /** The session of the start: that of the platform on this machine is not open yet. */
  async firstSession(): Promise<DashboardSession> {
    const session = await this.session();
    if (!this.startsLocal) return session;
    return { ...session, signedIn: false, user: undefined, workspace: undefined, kept: undefined };
  }

  /** Uses only local state, so that the first frame waits for no network. */
  async session(): Promise<DashboardSession> {
    const settings = this.#settings;
    const state = await (await this.#openSession()).state();
    const needsToken = state.signedIn && state.source === "environment" && !this.#isDemo;
    const baseUrl = settings.baseUrl.value;
    const kept = this.#kept.platform(this.#platformKey(baseUrl));
    const ownDefault = settings.workspace?.value;
    const workspace = this.#kept.isNewer ? (kept?.workspace ?? ownDefault) : ownDefault;
    return {
      baseUrl,
      profile: settings.profile.value,
      local: isLoopbackHost(new URL(baseUrl).hostname),
      signedIn: state.signedIn && (!state.expired || state.renewable),
      command: this.#command(baseUrl),
      ...(needsToken ? { commandNeeds: "SVC_TOKEN" } : {}),
      ...(state.signedIn ? { user: state.claims.name ?? state.claims.email } : {}),
      ...given({ workspace }),
      defaultWorkspaceId: ownDefault?.id,
      knowsDefault: ["profile", undefined].includes(settings.workspace?.source),
      kept: this.#kept.isNewer || kept === undefined ? kept : { views: kept.views },
      ...given({ appKey: settings.appKey?.value }),
      readOnly: settings.readOnly,
    };
  }

  #platformKey(baseUrl: string): string {
    return baseUrl === this.#local.baseUrl || baseUrl === this.#joined ? localKey : baseUrl;
  }

  /** False if a variable or a project names the platform. */
  get #isFree(): boolean {
    const { source } = this.#settings.baseUrl;
    return source === "profile" || source === "default";
  }

  /** True if the last platform was the one on this machine, which the dashboard then starts. */
  get startsLocal(): boolean {
    const { variables } = this.#context.environment;
    const hasToken = (variables["SVC_TOKEN"] ?? "") !== "";
    return this.#kept.isLastLocal && this.#isFree && !this.#isDemo && !hasToken;
  }

  /** Opens the last platform, unless a variable, a project or a later command names one. */
  async openLastPlatform(): Promise<void> {
    const last = this.#kept.lastPlatform;
    if (last !== undefined && this.#isFree) await this.#refreshSettings(last);
  }

  /**
   * The sign-in of a command is that of the profile. The command names only what a shell without
   * variables does not know: another platform than the profile's, and another profile.
   */
  #command(baseUrl: string): CommandTarget {
    if (this.#isDemo) return { program: ["svc", "demo", "--"], variables: {}, options: {} };
    const { configDirectory, profile, baseUrl: own } = this.#settings;
    const isOwnDirectory = configDirectory.source === "environment";
    const isKnown = this.#isFree && own.value === baseUrl;
    return {
      program: ["svc"],
      variables: {
        ...(isOwnDirectory ? { SVC_CONFIG_DIR: configDirectory.value } : {}),
        ...(isKnown ? {} : { BASE_URL_PUBLIC_API: baseUrl }),
      },
      options: profile.source === "default" ? {} : { profile: profile.value },
    };
  }

  async createClient(session: DashboardSession, request: ClientRequest): Promise<Client> {
    const { createClient } = await import("#client/client.ts");
    const own = this.#local.ownerOf(session.baseUrl);
    const { fetch } = own ?? this.#context.environment;
    const { variables } = this.#context.environment;
    const source = own ?? (await this.#openSession());
    return createClient({
      baseUrl: session.baseUrl,
      token: (rejected) => source.token(rejected),
      tenantId: session.workspace?.id,
      insecureHttp: this.#context.insecureHttp,
      proxyVariable:
        fetch === undefined ? proxyVariable(new URL(session.baseUrl), variables) : undefined,
      onRequest: request.onRequest,
      onSend: request.onSend,
      keptAnswers: request.keptAnswers,
      readOnly: session.readOnly,
      ...given({ fetch }),
    });
  }

  readonly actions: DashboardActions = {
    signIn: (method, request) => this.#signIn(method, request),
    startLocal: (request) => this.#startLocal(request),
    fillSampleData: () => this.#local.fillSampleData(),
    choosePlatform: (baseUrl) => this.#choosePlatform(baseUrl),
    keep: (baseUrl, change) => this.#kept.keep(this.#platformKey(baseUrl), change),
    makeDefault: async (baseUrl, { id, slug, displayName }) => {
      const { selectPlatform, selectWorkspace } = await import("#local/configuration/profiles.ts");
      const place = profilePlace(this.#settings);
      const { origin } = new URL(await selectPlatform(place, baseUrl));
      await selectWorkspace({ ...place, workspace: { id, slug: slug ?? id, displayName, origin } });
      await this.#kept.profileChanged();
      await this.#kept.keep(this.#platformKey(baseUrl), {});
    },
    signOut: async () => {
      const [{ signOut }, { clearWorkspace }, { removeOpenedFiles }] = await Promise.all([
        import("#auth/sign-out.ts"),
        import("#local/configuration/profiles.ts"),
        import("#local/configuration/opened-files.ts"),
      ]);
      const place = profilePlace(this.#settings);
      await signOut({ ...place, fetch: this.#context.environment.fetch });
      await clearWorkspace(place);
      await removeOpenedFiles(place.configDirectory);
      await this.#kept.profileChanged();
      await this.#refreshSettings();
      return this.session();
    },
    storeColumns: async (place, names) => {
      const [{ updateProfile }, { readChosenColumns, withColumns }] = await Promise.all([
        import("#local/configuration/profiles.ts"),
        import("#ui/records/list/chosen-columns.ts"),
      ]);
      await updateProfile(profilePlace(this.#settings), (profile) => {
        // Read under the lock: another dashboard may have stored another table's columns.
        const columns = withColumns(readChosenColumns(profile.settings?.["columns"]), place, names);
        return {
          ...profile,
          settings: { ...profile.settings, columns: Object.fromEntries(columns) },
        };
      });
    },
  };

  async close(): Promise<void> {
    await this.#local.close();
  }

  async #openSession() {
    const { openSession } = await import("#auth/session.ts");
    const { environment } = this.#context;
    return openSession({
      ...profilePlace(this.#settings),
      baseUrl: this.#settings.baseUrl.value,
      baseUrlTrusted: this.#settings.baseUrlTrusted,
      environmentToken: environment.variables["SVC_TOKEN"],
      insecureHttp: this.#context.insecureHttp,
      fetch: environment.fetch,
    });
  }

  async #refreshSettings(baseUrl?: string): Promise<void> {
    const { resolveSettings } = await import("#local/configuration/settings.ts");
    const { variables, currentDirectory, homeDirectory } = this.#context.environment;
    const profile = this.#settings.profile.value;
    this.#settings = await resolveSettings({
      variables,
      currentDirectory,
      homeDirectory,
      flags: { profile, baseUrl },
    });
  }

  async #signIn(
    method: "browser" | "device",
    { onStep, signal }: SignInRequest,
  ): Promise<DashboardSession> {
    const { signIn } = await import("#auth/sign-in.ts");
    const { baseUrl } = this.#settings;
    const say: SayWhere = (_words, { url, code, endsAtMs }) =>
      onStep(
        code === undefined ? { kind: "browser", url } : { kind: "device", url, code, endsAtMs },
      );
    await signIn({
      settings: signInSettings(this.#settings),
      insecureHttp: this.#context.insecureHttp,
      device: method === "device",
      signal,
      fetch: this.#context.environment.fetch,
      openBrowser: (url) => openBrowser(this.#context.environment, url).then(() => undefined),
      say,
    });
    const { readProfile } = await import("#local/configuration/profiles.ts");
    const place = profilePlace(this.#settings);
    // The first platform becomes the profile's; another one only when the user makes it that.
    if ((await readProfile(place)).baseUrl === undefined) await rememberPlatform(this.#settings);
    await this.#kept.profileChanged();
    await this.#refreshSettings(baseUrl.value);
    return this.session();
  }

  /**
   * Starts a platform in this process, on the data directory that `svc serve` uses, or joins the
   * one that another process serves from it.
   */
  async #startLocal({ onStep }: SignInRequest): Promise<DashboardSession> {
    onStep({ kind: "progress", words: "Starting a platform on this machine" });
    Bun.unsafe.setJITPolicy(jitPolicies.platform);
    try {
      const started = await this.#local.start(profilePlace(this.#settings));
      await this.#kept.keep(localKey, {}).catch(() => undefined);
      return this.#startedSession(started);
    } catch (error) {
      Bun.unsafe.setJITPolicy(jitPolicies.dashboard);
      const running = await this.#local.runningElsewhere(error);
      if (running === undefined) throw error;
      return await this.#join(running, error);
    }
  }

  /** The session at a platform that runs already; throws `error` if its sign-in is open already. */
  async #join(running: string, error: unknown): Promise<DashboardSession> {
    const before = this.#settings.baseUrl.value;
    this.#joined = running;
    await this.#refreshSettings(running);
    const joined = await this.session();
    if (!joined.signedIn && before === running) throw error;
    await this.#kept.keep(localKey, {}).catch(() => undefined);
    return joined;
  }

  #startedSession({ baseUrl, user, servesCommands }: StartedPlatform): DashboardSession {
    const kept = this.#kept.platform(localKey);
    return {
      kept,
      ...given({ workspace: kept?.workspace }),
      baseUrl,
      profile: this.#settings.profile.value,
      local: true,
      inProcess: true,
      signedIn: true,
      user,
      command: this.#command(baseUrl),
      readOnly: this.#settings.readOnly,
      ...(servesCommands ? {} : { commandNeeds: "SVC_TOKEN" }),
    };
  }

  async #choosePlatform(address: string): Promise<DashboardSession> {
    const { platformAddress } = await import("#local/configuration/profiles.ts");
    const baseUrl = platformAddress(address);
    await this.#refreshSettings(baseUrl);
    await this.#kept.keep(this.#platformKey(baseUrl), {});
    return this.session();
  }
}

/**
 * Most functions of a dashboard run too rarely to gain from compilation, whose code and state take
 * 10 MiB. A platform in the same process gains from it.
 */
const jitPolicies = { dashboard: 20, platform: 1 };

/** `ACCESSIBLE=1` or `--accessible` ask for lines that are appended, instead of a screen. */
function isSpoken({ environment: { argv, variables } }: CommandContext): boolean {
  const wish = variables["ACCESSIBLE"] ?? "";
  return argv.includes("--accessible") || (wish !== "" && wish !== "0");
}

/** Asks the terminal for its background, unless it can't show the dashboard. */
async function askTerminal(context: CommandContext, terminal: Terminal) {
  if (isSpoken(context)) return undefined;
  const [{ terminalRefusal }, { askEarly }] = await Promise.all([
    import("#ui/terminal.ts"),
    import("#ui/terminal-answers.ts"),
  ]);
  return terminalRefusal(terminal) === undefined ? askEarly(terminal) : undefined;
}

/** Loads the dashboard with the state of this machine. */
async function loadDashboard(context: CommandContext, terminal: Terminal, isDemo: boolean) {
  const [settings, ui, { readThemes }] = await Promise.all([
    context.settings(),
    import("#ui/app.tsx"),
    import("#local/configuration/themes.ts"),
  ]);
  const [kept, themes] = await Promise.all([
    openKeptStore(profilePlace(settings)),
    readThemes(settings.configDirectory.value),
  ]);
  const host = new DashboardHost(context, settings, { isDemo, kept });
  await host.openLastPlatform();
  try {
    const options: DashboardOptions = {
      terminal,
      session: await host.firstSession(),
      createClient: (session, request) => host.createClient(session, request),
      actions: host.actions,
      openImport: (request) => context.openImport(context, request),
      openArchives: async () => {
        const { archiveFiles } = await import("../archives/dashboard-archives.ts");
        return archiveFiles(context);
      },
      currentDirectory: context.environment.currentDirectory,
      homeDirectory: context.environment.homeDirectory,
      storedColumns: settings.profileSettings["columns"],
      profileSettings: settings.profileSettings,
      isSpoken: isSpoken(context),
      start: { skin: kept.skin, startsLocal: host.startsLocal },
      themes,
    };
    return { ui, host, options };
  } catch (failure) {
    await host.close();
    throw failure;
  }
}

/** Opens the dashboard on the real terminal; resolves to the exit code when the user leaves it. */
export async function openDashboard(
  context: CommandContext,
  { isDemo = false }: { readonly isDemo?: boolean } = {},
): Promise<number> {
  const terminal = context.openTerminal?.();
  if (terminal === undefined) throw inputError("there is no terminal");
  if (!isDemo) Bun.unsafe.setJITPolicy(jitPolicies.dashboard);
  const early = await askTerminal(context, terminal);
  const { ui, host, options } = await loadDashboard(context, terminal, isDemo).catch(
    async (failure: unknown) => {
      await early?.end();
      throw failure;
    },
  );
  try {
    const ended = ui.openDashboard({ ...options, asked: early?.ground });
    early?.handOver();
    return await ended;
  } finally {
    await host.close();
  }
}
