import type { Client } from "#client/index.ts";
import { AnswerCache } from "../../kit/answers/cache.ts";
import { failureOf, type Failure } from "../../kit/answers/failure.ts";
import { ListStore } from "../../kit/answers/list-store.ts";
import { Part, usePart } from "../../kit/state/part.ts";
import { Listeners, Store, useStore } from "../../kit/state/store.ts";
import type { DashboardOptions, DashboardSession, WorkspaceChoice } from "../../surface.ts";
import { Attention } from "./attention.ts";
import { Changes, confirmedMs } from "./feed/changes.ts";
import { ConnectionMeter, isDown } from "./connection.ts";
import { Freshness } from "./freshness.ts";

/** The session, and the client that serves it. */
export interface PlatformState {
  readonly session: DashboardSession;
  readonly tenantId: string | undefined;
  /** Absent until just after the first frame. */
  readonly client: Client | undefined;
  readonly failure: Failure | undefined;
}

const keptAnswers = 24;
/** Period of the attempts while the platform is down. */
const retryMs = 5_000;

/** The platform of the dashboard, its answers and the state of the connection. */
export class Platform {
  readonly state: Store<PlatformState>;
  readonly cache = new AnswerCache();
  readonly lists = new ListStore();
  readonly meter = new ConnectionMeter();
  readonly attention = new Attention();
  readonly freshness = new Freshness(this.attention, Date.now, () => this.#longestMs());
  /** Refreshes the answers that a change of the workspace is about. */
  readonly changes = new Changes(this.attention.isLooking);
  /** Notified with each refresh of everything visible. */
  readonly refreshes = new Listeners();
  readonly #createClient: DashboardOptions["createClient"];
  #retry: ReturnType<typeof setInterval> | undefined;
  /** The session that the newest client is for; absent before the start and after the end. */
  #connecting: DashboardSession | undefined;

  constructor({ session, createClient }: Pick<DashboardOptions, "session" | "createClient">) {
    this.#createClient = createClient;
    this.state = new Store(stateOf(session));
  }

  /** Makes the client, which the first frame does not wait for; returns a function that ends it. */
  start(watchInput: (listener: (input: string) => void) => () => void): () => void {
    const ends = [
      watchInput(this.attention.read),
      this.meter.showWith(watchInput),
      this.meter.subscribe(() => this.#tryAgain()),
      this.state.subscribe(this.#follow),
      this.changes.state.subscribe(() => this.freshness.check()),
      this.meter.subscribe(() => this.freshness.check()),
      this.changes.end,
    ];
    void this.#connect();
    return () => {
      this.#connecting = undefined;
      clearInterval(this.#retry);
      for (const end of ends) end();
    };
  }

  readonly refresh = (): void => this.refreshes.notify();

  readonly changeSession = (session: DashboardSession): void => {
    this.cache.clear();
    this.lists.clear();
    this.meter.reset();
    this.state.set(stateOf(session));
    void this.#connect();
  };

  readonly chooseWorkspace = (workspace: WorkspaceChoice): void =>
    this.state.set((now) => ({
      ...now,
      session: { ...now.session, workspace },
      tenantId: workspace.id,
    }));

  /** Shows another workspace as the default of commands. */
  readonly changeDefault = (defaultWorkspaceId: string): void =>
    this.state.set((now) => ({ ...now, session: { ...now.session, defaultWorkspaceId } }));

  /**
   * While a stream of changes is not confirmed, an answer is no longer live after its time, and
   * none is live at a platform that does not answer.
   */
  #longestMs(): number {
    if (isDown(this.meter.get())) return 0;
    return this.changes.state.get() === "opening" ? confirmedMs : Infinity;
  }

  readonly #follow = (): void => {
    const { client, tenantId } = this.state.get();
    this.changes.follow(client, tenantId);
  };

  /** The client serves all workspaces: only another session gets a new one. */
  async #connect(): Promise<void> {
    const { session } = this.state.get();
    this.#connecting = session;
    const made = await this.#createClient(
      { ...session, workspace: undefined },
      {
        onRequest: (trace) => this.meter.record(trace),
        onSend: this.meter.sent,
        keptAnswers,
      },
    ).then(
      (client) => ({ client }),
      (error: unknown) => ({ failure: failureOf(error) }),
    );
    if (this.#connecting !== session) return;
    this.state.set((now) => ({ ...now, ...made }));
    this.#tryAgain();
  }

  /** Reads the health of a platform that is down, until it answers. */
  #tryAgain(): void {
    if (!isDown(this.meter.get())) {
      clearInterval(this.#retry);
      this.#retry = undefined;
      return;
    }
    this.#retry ??= setInterval(() => {
      const { client } = this.state.get();
      client?.health.resources({ timeoutMs: retryMs }).then(this.refresh, () => {});
    }, retryMs);
  }
}

function stateOf(session: DashboardSession): PlatformState {
  return { session, tenantId: session.workspace?.id, client: undefined, failure: undefined };
}

export const platformPart = new Part<Platform>("platform");

/** The platform; the component does not render again when its state changes. */
export function usePlatformLink(): Platform {
  return usePart(platformPart);
}

export function usePlatform(): PlatformState {
  return useStore(usePart(platformPart).state);
}
