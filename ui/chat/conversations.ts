import { Part } from "../kit/state/part.ts";
import { Store, type Followed } from "../kit/state/store.ts";
import type { DashboardSession } from "../surface.ts";
import type { ChatSubject } from "../shell/router.ts";
import { ChatSession } from "./chat-session.ts";

/** Conversations that are open at the same time; each one may have 4,000 messages in memory. */
export const mostTabs = 8;

/** The user, platform and workspace that the conversations belong to. */
interface ChatPlatform {
  readonly state: Followed<{
    readonly session: Pick<DashboardSession, "baseUrl" | "user" | "workflowKey">;
    readonly tenantId?: string | undefined;
  }>;
}

interface Tabs {
  readonly all: readonly ChatSession[];
  readonly shown: ChatSession;
}

/**
 * The conversations that are open in the workspace, each in a tab. Another workspace or user gets
 * other ones.
 */
export class Conversations {
  readonly #tabs: Store<Tabs>;
  readonly tabs: Followed<Tabs>;
  readonly #platform: ChatPlatform;
  /** Lists of documents that a route has named, each of which is taken once. */
  readonly #taken = new WeakSet<readonly ChatSubject[]>();
  #owner: string;

  constructor(platform: ChatPlatform) {
    this.#platform = platform;
    this.#tabs = new Store(this.#fresh());
    this.tabs = this.#tabs;
    this.#owner = ownerOf(platform);
    platform.state.subscribe(() => {
      const owner = ownerOf(platform);
      if (owner === this.#owner) return;
      this.#owner = owner;
      this.end();
      this.#tabs.set(this.#fresh());
    });
  }

  get shown(): ChatSession {
    return this.#tabs.get().shown;
  }

  /** Why no further conversation can be opened. */
  get refusal(): string | undefined {
    return this.#tabs.get().all.length < mostTabs
      ? undefined
      : `${mostTabs} conversations are open: close one of them first`;
  }

  readonly show = (session: ChatSession): void =>
    this.#tabs.set(({ all }) => ({ all, shown: session }));

  /** Shows the tab some steps after the shown one, continuing at the first. */
  readonly step = (by: number): void =>
    this.#tabs.set(({ all, shown }) => ({
      all,
      shown: all.at((all.indexOf(shown) + by) % all.length) ?? shown,
    }));

  /**
   * Shows a new conversation about the same documents with the same workflow, or the shown one if
   * that has no message yet.
   */
  begin(): ChatSession {
    const { all, shown } = this.#tabs.get();
    if (shown.isBlank) return shown;
    const { workflow, subjects } = shown.get();
    const session = new ChatSession(workflow);
    session.askAbout(subjects);
    this.#tabs.set({ all: [...all, session], shown: session });
    return session;
  }

  /** Closes the shown conversation, which is stored; its answer is written on for a while. */
  close(): void {
    this.#tabs.set(({ all, shown }) => {
      shown.stop();
      const at = all.indexOf(shown);
      const rest = all.filter((each) => each !== shown);
      const next = rest[Math.min(at, rest.length - 1)];
      return next === undefined ? this.#fresh() : { all: rest, shown: next };
    });
  }

  /** Adds the documents that a route names to the shown conversation, once. */
  take(subjects: readonly ChatSubject[]): void {
    if (this.#taken.has(subjects)) return;
    this.#taken.add(subjects);
    this.shown.askAbout(subjects);
  }

  end(): void {
    for (const session of this.#tabs.get().all) session.stop();
  }

  #fresh(): Tabs {
    const session = new ChatSession(this.#platform.state.get().session.workflowKey);
    return { all: [session], shown: session };
  }
}

function ownerOf(platform: ChatPlatform): string {
  const { session, tenantId } = platform.state.get();
  return JSON.stringify([session.baseUrl, session.user, tenantId, session.workflowKey]);
}

export const conversationsPart = new Part<Conversations>("conversations");
