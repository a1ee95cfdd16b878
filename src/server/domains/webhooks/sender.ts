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
/** The part of these limits for endpoints that have failed last, or never answered yet. */
const unsoundPart = 1 / 2;
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
  readonly messages: Messages;
  readonly address: Pick<PostOptions, "allowedHosts" | "resolve" | "ca">;
  readonly timeoutMs: number;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
  /** Is called after the end of each attempt. */
  readonly onSent: () => void;
}

interface Claim {
  readonly endpoint: EndpointRecord;
  /** The most deliveries that it takes. */
  readonly limit: number;
}

/** Sends due deliveries: of all workspaces in turn, with a bounded share for each. */
export class Sender {
  readonly #running = new Map<Promise<void>, EndpointRecord>();
  /** Claims that are under way, each with the attempts that it may begin. */
  readonly #claims = new Set<Claim>();
  readonly #stop = new AbortController();

  constructor(private readonly parts: SenderParts) {}

  /** Begins the attempts for which there is room; returns how many. */
  async sendDue(): Promise<number> {
    for (let all = 0; ;) {
      const { begun, isAgain } = await this.#sendOnce();
      all += begun;
      if (!isAgain) return all;
    }
  }

  /** Begins the attempts of one endpoint for which there is room; temporary ones pull theirs. */
  async sendTo(endpoint: EndpointRecord): Promise<void> {
    const now = this.parts.now().toISOString();
    if (endpoint.url === null || this.#stop.signal.aborted || isPaused(endpoint, now)) return;
    const limit = roomFor(endpoint, this.#busy());
    if (limit > 0) await this.#claim({ endpoint, limit }, now);
  }

  /** `isAgain`: endpoints had no room next to others, which then needed less of it. */
  async #sendOnce(): Promise<{ readonly begun: number; readonly isAgain: boolean }> {
    if (this.#stop.signal.aborted) return { begun: 0, isAgain: false };
    const work = this.parts.platformWork("due webhook deliveries");
    const now = this.parts.now().toISOString();
    const due = await dueEndpoints(work.read, now, endpointsAtOnce);
    const busy = this.#busy();
    const before = busy.length;
    const open = soundFirst(due.filter((endpoint) => !isPaused(endpoint, now)));
    const claims = inTurn(open).map((endpoint) => {
      const limit = Math.max(0, roomFor(endpoint, busy));
      busy.push(...Array.from({ length: limit }, () => endpoint));
      return { endpoint, limit };
    });
    const fitting = claims.filter(({ limit }) => limit > 0);
    let begun = 0;
    for (let from = 0; from < fitting.length; from += claimsAtOnce) {
      const some = fitting.slice(from, from + claimsAtOnce);
      const counts = await Promise.all(some.map((claim) => this.#claim(claim, now)));
      begun += counts.reduce((sum, count) => sum + count, 0);
    }
    const isShort = fitting.length < claims.length && begun < busy.length - before;
    return { begun, isAgain: isShort && begun > 0 };
  }

  async #claim(claim: Claim, now: string): Promise<number> {
    const { endpoint, limit } = claim;
    const until = new Date(this.parts.now().getTime() + leaseMs).toISOString();
    const work = this.parts.platformWork("due webhook deliveries").within(endpoint.workspace_id);
    this.#claims.add(claim);
    try {
      const claimed = await work.write((tx) =>
        claimDeliveries(tx, endpoint, { now, until, limit }),
      );
      for (const delivery of claimed) this.#begin(endpoint, delivery);
      return claimed.length;
    } finally {
      this.#claims.delete(claim);
    }
  }

  /** The endpoint of each attempt that runs, or that a claim may begin. */
  #busy(): EndpointRecord[] {
    const claimed = [...this.#claims].flatMap(({ endpoint, limit }) =>
      Array.from({ length: limit }, () => endpoint),
    );
    return [...this.#running.values(), ...claimed];
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

/**
 * The attempts that may begin next to those that run. An endpoint that has failed last, or never
 * answered yet, has one attempt at a time; all these together leave half of the room of their
 * workspace and of the platform to the others. A second attempt of one needs a half that is free.
 */
export function roomFor(endpoint: EndpointRecord, running: readonly EndpointRecord[]): number {
  const own = running.filter(({ id }) => id === endpoint.id).length;
  const shared = running.filter((each) => each.workspace_id === endpoint.workspace_id);
  if (!isSound(endpoint)) {
    const ofWorkspace = shared.filter((each) => !isSound(each)).length;
    const ofAll = running.filter((each) => !isSound(each)).length;
    return Math.min(
      1 - own,
      maximumOfWorkspace * unsoundPart - ofWorkspace,
      maximumRunning * unsoundPart - ofAll,
    );
  }
  const isBusy = shared.length >= maximumOfWorkspace / 2;
  return Math.min(
    (isBusy ? 1 : maximumOfEndpoint) - own,
    maximumOfWorkspace - shared.length,
    maximumRunning - running.length,
  );
}

/** Attempts in vain take time from the deliveries of others. */
function isPaused({ failures, last_failed_at: last }: EndpointRecord, now: string): boolean {
  if (Number(failures) < pausedFailures || last === null) return false;
  return Date.parse(last) > Date.parse(now) - failurePauseMs;
}

function isSound({ failures, last_delivered_at: last }: EndpointRecord): boolean {
  return Number(failures) === 0 && last !== null;
}

/** Endpoints that answer come first: the others wait longer for their answers. */
export function soundFirst(endpoints: readonly EndpointRecord[]): EndpointRecord[] {
  const { sound = [], others = [] } = Object.groupBy(endpoints, (endpoint) =>
    isSound(endpoint) ? "sound" : "others",
  );
  return [...sound, ...others];
}

/** One endpoint of each workspace after the other. */
function inTurn(endpoints: readonly EndpointRecord[]): EndpointRecord[] {
  const queues = [...Map.groupBy(endpoints, (each) => each.workspace_id).values()];
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, at) =>
    queues.flatMap((queue) => queue[at] ?? []),
  ).flat();
}
