import { keptPromise } from "../../kit/background.ts";
import { postOnce, type PostOptions } from "../../kit/outbound/post-once.ts";
import type { Logger } from "../../kit/logger.ts";
import type { PlatformWork } from "../../work/works.ts";
import { claimDeliveries, dueEndpoints, type DeliveryRecord } from "./delivery-store.ts";
import type { LaneTurns } from "./lanes/lane-turns.ts";
import { Occupancy, type LaneName, type RunningAttempt } from "./lanes/room.ts";
import type { Messages } from "./message.ts";
import { isAccepted, settleAttempt, unreadable, type Attempt } from "./outcomes.ts";
import { retryAfterMs } from "./retries.ts";
import { endpointById, type EndpointRecord } from "./store.ts";

/** The lease is longer than an attempt, so that one platform sends it. */
const leaseMs = 60_000;
const endpointsAtOnce = 1_000;
/** An endpoint that has failed so often in a row has a pause after each further attempt. */
const pausedFailures = 5;
const failurePauseMs = 1_000;
/** Claims at the same time, which share commits. */
const claimsAtOnce = 16;
/** The bytes of an answer that are kept. */
const keptBytes = 2048;

export interface SenderParts {
  readonly platformWork: PlatformWork;
  readonly messages: Pick<Messages, "of">;
  readonly address: Pick<PostOptions, "allowedHosts" | "resolve" | "ca">;
  readonly timeoutMs: number;
  readonly now: () => Date;
  readonly random: () => number;
  readonly turns: LaneTurns;
  readonly logger: Pick<Logger, "error">;
  /** Is called after the end of each attempt. */
  readonly onSent: (sent: SentAttempt) => void;
}

/** An attempt that has ended. */
export interface SentAttempt {
  readonly workspaceId: string;
  /** The lane that its endpoint had while it ran. */
  readonly lane: LaneName;
  readonly isDelivered: boolean;
}

const noneTaken = { claimed: [], current: undefined };

interface Claim extends RunningAttempt {
  /** The most deliveries that it takes. */
  readonly limit: number;
}

/** Sends due deliveries: of all workspaces in turn, with a bounded share for each. */
export class Sender {
  readonly #running = new Map<Promise<void>, RunningAttempt>();
  /** Claims that are under way, each with the attempts that it may begin, and their ends. */
  readonly #claims = new Map<Claim, Promise<number>>();
  readonly #stop = new AbortController();

  constructor(private readonly parts: SenderParts) {}

  /** Counts the attempts that run, and those that claims may begin. */
  occupancy(): Occupancy {
    const claimed = [...this.#claims.keys()].flatMap((claim) =>
      Array.from({ length: claim.limit }, () => claim),
    );
    return new Occupancy([...this.#running.values(), ...claimed], performance.now());
  }

  /** Begins the attempts of a lane for which there is room; returns how many. */
  async sendDue(lane: LaneName): Promise<number> {
    for (let all = 0; ;) {
      const { begun, isAgain } = await this.#sendOnce(lane);
      all += begun;
      if (!isAgain) return all;
    }
  }

  /** Begins the attempts of one endpoint for which there is room; temporary ones pull theirs. */
  async sendTo(endpoint: EndpointRecord): Promise<void> {
    const now = this.parts.now().toISOString();
    if (endpoint.url === null || this.#stop.signal.aborted || isPaused(endpoint, now)) return;
    const occupancy = this.occupancy();
    const limit = occupancy.roomFor(endpoint);
    if (limit === 0) return;
    const claim = { endpoint, limit, beganMs: performance.now() };
    await this.#claim(occupancy.laneOf(endpoint), claim, now);
  }

  /** `isAgain`: endpoints had no room next to others, which then needed less of it. */
  async #sendOnce(lane: LaneName): Promise<{ readonly begun: number; readonly isAgain: boolean }> {
    if (this.#stop.signal.aborted) return { begun: 0, isAgain: false };
    const work = this.parts.platformWork("due webhook deliveries");
    const now = this.parts.now().toISOString();
    const due = await dueEndpoints(work.read, now, { lane, limit: endpointsAtOnce });
    const occupancy = this.occupancy();
    const open = due.filter(
      (endpoint) => occupancy.laneOf(endpoint) === lane && !isPaused(endpoint, now),
    );
    const beganMs = performance.now();
    const claims = inTurn(open).map((endpoint) => {
      const limit = occupancy.roomFor(endpoint);
      occupancy.add(endpoint, limit);
      return { endpoint, limit, beganMs };
    });
    const wanted = claims.reduce((sum, { limit }) => sum + limit, 0);
    const fitting = claims.filter(({ limit }) => limit > 0);
    let begun = 0;
    for (let from = 0; from < fitting.length; from += claimsAtOnce) {
      const some = fitting.slice(from, from + claimsAtOnce);
      const counts = await Promise.all(some.map((claim) => this.#claim(lane, claim, now)));
      begun += counts.reduce((sum, count) => sum + count, 0);
    }
    const isShort = fitting.length < claims.length && begun < wanted;
    return { begun, isAgain: isShort && begun > 0 };
  }

  #claim(lane: LaneName, claim: Claim, now: string): Promise<number> {
    const begun = Promise.try(() => this.parts.turns.run(lane, () => this.#taken(claim, now)))
      .then(({ claimed, current }) => {
        if (current === undefined) return 0;
        for (const delivery of claimed) this.#begin(current, delivery);
        return claimed.length;
      })
      .finally(() => this.#claims.delete(claim));
    this.#claims.set(claim, keptPromise(begun));
    return begun;
  }

  /** A claim that waited for its turn takes nothing after the stop. */
  async #taken(claim: Claim, now: string) {
    return this.#stop.signal.aborted ? noneTaken : this.#take(claim, now);
  }

  /** Takes due deliveries, with the endpoint as it is now; without it for none. */
  #take({ endpoint, limit }: Claim, now: string) {
    const { workspace_id: workspaceId, id } = endpoint;
    const until = new Date(this.parts.now().getTime() + leaseMs).toISOString();
    const work = this.parts.platformWork("due webhook deliveries").within(workspaceId);
    return work.write(async (tx) => {
      const claimed = await claimDeliveries(tx, endpoint, { now, until, limit });
      // A secret that was replaced after the endpoint was found signs nothing.
      const current = claimed.length === 0 ? undefined : await endpointById(tx, workspaceId, id);
      return { claimed, current };
    });
  }

  /** Resolves when no attempt is running, and none is about to begin; to true if one was. */
  async idle(): Promise<boolean> {
    const wasBusy = this.#running.size + this.#claims.size > 0;
    while (this.#running.size + this.#claims.size > 0) {
      await Promise.allSettled([...this.#running.keys(), ...this.#claims.values()]);
    }
    return wasBusy;
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
          if (!this.#stop.signal.aborted) {
            this.parts.logger.error({ event: "webhook-not-sent", error: String(error) });
          }
          return false;
        })
        .then((isDelivered) => {
          const lane = this.occupancy().laneOf(endpoint);
          this.#running.delete(running);
          this.parts.onSent({ workspaceId: endpoint.workspace_id, lane, isDelivered });
        }),
    );
    this.#running.set(running, { endpoint, beganMs: performance.now() });
  }

  /** True if the endpoint has accepted the delivery. */
  async #send(endpoint: EndpointRecord, delivery: DeliveryRecord): Promise<boolean> {
    const { platformWork, now, random, turns } = this.parts;
    const work = platformWork("a webhook delivery").within(endpoint.workspace_id);
    const attempt = await this.#attempt(endpoint, delivery);
    const settled = { delivery, attempt };
    await turns.run(this.occupancy().laneOf(endpoint), () =>
      work.write((tx) => settleAttempt(tx, settled, { now: now(), random: random() })),
    );
    return isAccepted(attempt);
  }

  async #attempt(endpoint: EndpointRecord, delivery: DeliveryRecord): Promise<Attempt> {
    const { platformWork, messages, address, timeoutMs, now } = this.parts;
    const { signal } = this.#stop;
    const work = platformWork("a webhook delivery").within(endpoint.workspace_id);
    const message = await messages.of(work, endpoint, delivery, signal);
    if (message === undefined) return unreadable;
    const { headers, body } = message;
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

/** Attempts in vain take time from the deliveries of others. */
function isPaused({ failures, last_failed_at: last }: EndpointRecord, now: string): boolean {
  if (Number(failures) < pausedFailures || last === null) return false;
  return Date.parse(last) > Date.parse(now) - failurePauseMs;
}

/** One endpoint of each workspace after the other. */
function inTurn(endpoints: readonly EndpointRecord[]): EndpointRecord[] {
  const queues = [...Map.groupBy(endpoints, (each) => each.workspace_id).values()];
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, at) =>
    queues.flatMap((queue) => queue[at] ?? []),
  ).flat();
}
