import { keptPromise } from "../../kit/background.ts";
import { postOnce, type PostOptions } from "../../kit/outbound/post-once.ts";
import type { Logger } from "../../kit/logger.ts";
import type { PlatformWork } from "../../work/works.ts";
import { claimDeliveries, dueEndpoints, type DeliveryRecord } from "./delivery-store.ts";
import type { Messages } from "./message.ts";
import { settleAttempt, type Attempt } from "./outcomes.ts";
import { retryAfterMs } from "./retries.ts";
import type { EndpointRecord } from "./store.ts";

/** The lease is longer than an attempt, so that one platform sends it. */
const leaseMs = 60_000;
/** Attempts at the same time: of the platform, of a workspace, of an endpoint. */
const maximumRunning = 256;
const maximumOfWorkspace = 16;
const maximumOfEndpoint = 4;
/** Attempts of endpoints whose last one failed: these may each take the whole time limit. */
const maximumFailing = 128;
const endpointsAtOnce = 1_000;
/** The bytes of an answer that are kept. */
const keptBytes = 2048;

export interface SenderParts {
  readonly platformWork: PlatformWork;
  readonly messages: Messages;
  readonly address: Pick<PostOptions, "allowedHosts" | "resolve" | "ca">;
  readonly timeoutMs: number;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
  /** Is called after the end of each attempt. */
  readonly onSent: () => void;
}

/** Sends due deliveries: of all workspaces in turn, with a bounded share for each. */
export class Sender {
  readonly #running = new Map<Promise<void>, EndpointRecord>();
  readonly #stop = new AbortController();

  constructor(private readonly parts: SenderParts) {}

  /** Begins the attempts for which there is room; returns how many. */
  async sendDue(): Promise<number> {
    if (this.#stop.signal.aborted) return 0;
    const work = this.parts.platformWork("due webhook deliveries");
    const now = this.parts.now().toISOString();
    const due = await dueEndpoints(work.read, now, endpointsAtOnce);
    let begun = 0;
    for (const endpoint of inTurn(due)) {
      const limit = roomFor(endpoint, [...this.#running.values()]);
      if (limit <= 0) continue;
      const until = new Date(this.parts.now().getTime() + leaseMs).toISOString();
      const own = work.within(endpoint.workspace_id);
      const claimed = await own.write((tx) => claimDeliveries(tx, endpoint, { now, until, limit }));
      for (const delivery of claimed) this.#begin(endpoint, delivery);
      begun += claimed.length;
    }
    return begun;
  }

  /** Resolves when no attempt is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.keys());
  }

  /** Aborts all attempts; their leases end, and another start sends them again. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("the platform is shutting down"));
    await this.idle();
  }

  #begin(endpoint: EndpointRecord, delivery: DeliveryRecord): void {
    const running = keptPromise(
      this.#send(endpoint, delivery)
        .catch((error: unknown) => {
          if (this.#stop.signal.aborted) return;
          this.parts.logger.error({ event: "webhook-not-sent", error: String(error) });
        })
        .finally(() => {
          this.#running.delete(running);
          this.parts.onSent();
        }),
    );
    this.#running.set(running, endpoint);
  }

  async #send(endpoint: EndpointRecord, delivery: DeliveryRecord): Promise<void> {
    const { platformWork, now, random } = this.parts;
    const work = platformWork("a webhook delivery").within(endpoint.workspace_id);
    const attempt = await this.#attempt(endpoint, delivery);
    await work.write((tx) =>
      settleAttempt(tx, { delivery, attempt }, { now: now(), random: random() }),
    );
  }

  async #attempt(endpoint: EndpointRecord, delivery: DeliveryRecord): Promise<Attempt> {
    const { platformWork, messages, address, timeoutMs, now } = this.parts;
    const { signal } = this.#stop;
    const work = platformWork("a webhook delivery").within(endpoint.workspace_id);
    const { headers, body } = await messages.of(work, endpoint, delivery, signal);
    const beganMs = performance.now();
    const options = { ...address, headers, signal, timeoutMs, keptBytes };
    const outcome = await postOnce(endpoint.url ?? "", body, options);
    const durationMs = Math.round(performance.now() - beganMs);
    const none = { status: null, body: null, error: null, failure: null };
    const timed = { ...none, retryAfterMs: undefined, durationMs };
    if ("error" in outcome) return { ...timed, ...outcome };
    return {
      ...timed,
      status: outcome.status,
      body: outcome.body,
      retryAfterMs: retryAfterMs(outcome.retryAfter, now()),
    };
  }
}

type Share = Pick<EndpointRecord, "id" | "workspace_id" | "failures">;

/**
 * The attempts that an endpoint may begin next to those that run. One whose last attempt failed has
 * one at a time, and all of these leave half of the platform's attempts to the others.
 */
export function roomFor(endpoint: Share, running: readonly Share[]): number {
  const count = (isOf: (each: Share) => boolean): number => running.filter(isOf).length;
  const own = count(({ id }) => id === endpoint.id);
  const shared = count((each) => each.workspace_id === endpoint.workspace_id);
  const room = Math.min(maximumOfWorkspace - shared, maximumRunning - running.length);
  if (!isFailing(endpoint)) return Math.min(maximumOfEndpoint - own, room);
  return Math.min(1 - own, maximumFailing - count(isFailing), room);
}

function isFailing({ failures }: Share): boolean {
  return Number(failures) > 0;
}

/** One endpoint of each workspace after the other. */
function inTurn(endpoints: readonly EndpointRecord[]): EndpointRecord[] {
  const queues = [...Map.groupBy(endpoints, (each) => each.workspace_id).values()];
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, at) =>
    queues.flatMap((queue) => queue[at] ?? []),
  ).flat();
}
