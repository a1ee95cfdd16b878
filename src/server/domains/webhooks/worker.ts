import { inBackground, keptPromise } from "../../kit/background.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Feed } from "../feed/service.ts";
import { removeExpiredDeliveries } from "./delivery-store.ts";
import type { FanOut } from "./fan-out.ts";
import { soundFirst, type Sender } from "./sender.ts";
import {
  activeEndpoints,
  deleteEndpoint,
  expiredEndpoints,
  releaseAll,
  type EndpointKey,
  type EndpointRecord,
} from "./store.ts";

/** Changes of this time become one look. */
const gatherMs = 20;
/** The pause between looks for due retries. */
const lookMs = 1_000;
const sweepMs = 60_000;
const rowsAtOnce = 500;
/** Endpoints whose deliveries are made at the same time, so that their writes share commits. */
const endpointsAtOnce = 16;

interface WorkerParts {
  readonly platformWork: PlatformWork;
  readonly changes: Pick<Feed, "wake">;
  readonly fanOut: FanOut;
  readonly sender: Sender;
  readonly logger: Logger;
  readonly lifetime: Lifetime;
  readonly now: () => Date;
}

/**
 * Makes and sends deliveries in the background. Each platform looks at the endpoints of workspaces
 * that have changed; leases in the database let only one of them do each piece.
 */
export class WebhookWorker {
  readonly #work: Work;
  /** Workspaces with active endpoints, and what ends the watch of their changes. */
  readonly #known = new Map<string, () => void>();
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #look: Promise<void> | undefined;
  #isAgain = false;
  #isStopped = false;

  constructor(private readonly parts: WorkerParts) {
    this.#work = parts.platformWork("webhooks of all workspaces");
  }

  async start(): Promise<void> {
    const { lifetime, sender } = this.parts;
    const stop = async (): Promise<void> => {
      this.#isStopped = true;
      clearTimeout(this.#timer);
      for (const forget of this.#known.values()) forget();
      await sender.stop();
      await this.#look;
    };
    lifetime.onDrain(stop);
    lifetime.onClose(stop);
    // On SQLite the leases are those of a process that is gone.
    if (this.#work.read.dialect === "sqlite") await this.#work.write(releaseAll);
    await this.sweep();
    lifetime.every(lookMs, "webhooks-not-sent", () => this.#tick());
    lifetime.every(sweepMs, "webhooks-not-swept", () => this.sweep());
  }

  /** The endpoints of this workspace are looked at soon. */
  readonly noteActive = (workspaceId: string): void => {
    if (!this.#known.has(workspaceId)) {
      const note = (): void => {
        this.#changed.add(workspaceId);
        this.wake();
      };
      this.#known.set(workspaceId, this.parts.changes.wake(workspaceId, note));
    }
    this.#changed.add(workspaceId);
    this.wake();
  };

  readonly wake = (): void => {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      inBackground(this.parts.logger, "webhooks-not-sent", () => this.look());
    }, gatherMs);
    this.#timer.unref();
  };

  /** Makes the deliveries of what has changed, and begins what is due; one look at a time. */
  look(): Promise<void> {
    this.#isAgain = true;
    this.#look ??= keptPromise(
      this.#lookAgain().finally(() => {
        this.#look = undefined;
      }),
    );
    return this.#look;
  }

  /** Looks until nothing is due and all attempts have ended. */
  async settle(): Promise<void> {
    this.#changed = new Set(this.#known.keys());
    do {
      await this.look();
      await this.parts.sender.idle();
    } while ((await this.parts.sender.sendDue()) > 0);
    await this.parts.sender.idle();
  }

  /** Finds all active endpoints, and removes what the log need not keep. */
  async sweep(): Promise<void> {
    const now = this.parts.now().toISOString();
    for (const key of await expiredEndpoints(this.#work.read, now, rowsAtOnce)) {
      await this.#work.write((tx) => deleteEndpoint(tx, key));
    }
    const remove = () => this.#work.write((tx) => removeExpiredDeliveries(tx, now, rowsAtOnce));
    while ((await remove()) === rowsAtOnce);
    const found = new Set<string>();
    for await (const { workspace_id: workspaceId } of this.#active()) found.add(workspaceId);
    for (const [workspaceId, forget] of this.#known) {
      if (found.has(workspaceId)) continue;
      forget();
      this.#known.delete(workspaceId);
    }
    for (const workspaceId of found) this.noteActive(workspaceId);
  }

  /** Looks for retries that are due now. */
  async #tick(): Promise<void> {
    if (this.#known.size > 0 && !this.#isStopped) await this.look();
  }

  async #lookAgain(): Promise<void> {
    while (this.#isAgain && !this.#isStopped) {
      this.#isAgain = false;
      const changed = this.#changed;
      this.#changed = new Set();
      if (changed.size > 0) await this.#followAll(changed);
      await this.parts.sender.sendDue();
    }
  }

  /** Makes the deliveries of all endpoints of these workspaces. */
  async #followAll(changed: ReadonlySet<string>): Promise<void> {
    const endpoints = this.#active();
    const followNext = async (): Promise<void> => {
      for await (const endpoint of endpoints) {
        if (changed.has(endpoint.workspace_id)) await this.#follow(endpoint);
      }
    };
    await Promise.all(Array.from({ length: endpointsAtOnce }, followNext));
  }

  /** An endpoint that fails keeps its position, and does not stop the others. */
  async #follow(endpoint: EndpointRecord): Promise<void> {
    try {
      const made = await this.parts.fanOut.follow(endpoint);
      // Its first attempts do not wait until all endpoints have been followed.
      if (made > 0) await this.parts.sender.sendTo(endpoint);
    } catch (error) {
      this.parts.logger.error({ event: "webhooks-not-made", error: String(error) });
    }
  }

  async *#active(): AsyncGenerator<EndpointRecord, void, undefined> {
    let after: EndpointKey | undefined;
    for (;;) {
      const page = await activeEndpoints(this.#work.read, after, rowsAtOnce);
      yield* soundFirst(page);
      after = page.at(-1);
      if (page.length < rowsAtOnce) return;
    }
  }
}
