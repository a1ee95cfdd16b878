import type { EndpointRecord } from "../store.ts";

/** Endpoints that answer, and those that have failed last, never answered yet or answer slowly. */
export type LaneName = "sound" | "unsound";
export const laneNames: readonly LaneName[] = ["sound", "unsound"];

/** An attempt that is under way, or that a claim may begin. */
export interface RunningAttempt {
  readonly endpoint: EndpointRecord;
  readonly beganMs: number;
}

interface Room {
  readonly ofPlatform: number;
  readonly ofWorkspace: number;
  readonly ofEndpoint: number;
}

/** Attempts at the same time in each lane. */
const rooms: Readonly<Record<LaneName, Room>> = {
  sound: { ofPlatform: 128, ofWorkspace: 16, ofEndpoint: 4 },
  unsound: { ofPlatform: 128, ofWorkspace: 8, ofEndpoint: 1 },
};
/** An attempt of this time has no answer soon: its endpoint leaves the lane of the others. */
const slowMs = 1_000;
/** The attempts of a workspace without an answer, slow ones too: its quick failures go on. */
const unansweredOfWorkspace = 16;
/** The attempts of both lanes together with all slow ones. */
const maximumRunning = 384;

/** Counts the attempts that run, by lane, workspace and endpoint. */
export class Occupancy {
  readonly #slow: ReadonlySet<string>;
  readonly #counts = new Map<string, number>();

  constructor(running: Iterable<RunningAttempt>, nowMs: number) {
    const all = [...running].map((each) => ({
      ...each,
      isSlow: nowMs - each.beganMs >= slowMs,
    }));
    this.#slow = new Set(all.flatMap(({ endpoint, isSlow }) => (isSlow ? keyOf(endpoint) : [])));
    for (const { endpoint, isSlow } of all) {
      this.#count(endpoint, isSlow ? "slow" : this.laneOf(endpoint), 1);
    }
  }

  laneOf(endpoint: EndpointRecord): LaneName {
    // A temporary endpoint pulls its deliveries: the platform waits for no answer.
    if (endpoint.url === null) return "sound";
    const hasAnswered = Number(endpoint.failures) === 0 && endpoint.last_delivered_at !== null;
    return hasAnswered && !this.#slow.has(keyOf(endpoint)) ? "sound" : "unsound";
  }

  /** The attempts of an endpoint that may begin; those of the other lane take no room of it. */
  roomFor(endpoint: EndpointRecord): number {
    const lane = this.laneOf(endpoint);
    const room = rooms[lane];
    const ofWorkspace = this.#of(`${lane} ${endpoint.workspace_id}`);
    const isBusy = ofWorkspace >= room.ofWorkspace / 2;
    const slow = this.#of("slow");
    const free = Math.min(
      (isBusy ? 1 : room.ofEndpoint) - this.#of(keyOf(endpoint)),
      room.ofWorkspace - ofWorkspace,
      room.ofPlatform - this.#of(lane),
      maximumRunning - this.#of("sound") - this.#of("unsound") - slow,
    );
    if (lane === "sound") return Math.max(0, free);
    const slowOfWorkspace = this.#of(`slow ${endpoint.workspace_id}`);
    const unanswered = unansweredOfWorkspace - ofWorkspace - slowOfWorkspace;
    return Math.max(0, Math.min(free, unanswered, room.ofPlatform - this.#of(lane) - slow));
  }

  /** Counts further attempts of an endpoint. */
  add(endpoint: EndpointRecord, attempts: number): void {
    this.#count(endpoint, this.laneOf(endpoint), attempts);
  }

  #count(endpoint: EndpointRecord, lane: LaneName | "slow", attempts: number): void {
    for (const name of [lane, `${lane} ${endpoint.workspace_id}`, keyOf(endpoint)]) {
      this.#counts.set(name, this.#of(name) + attempts);
    }
  }

  #of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

function keyOf({ workspace_id: workspaceId, id }: EndpointRecord): string {
  return `${workspaceId}/${id}`;
}
