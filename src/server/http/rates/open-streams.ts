import { Refusal } from "#contract/problems.ts";

/** Event streams that may be open at the same time. */
export interface StreamLimits {
  readonly streamsPerCaller: number;
  readonly streamsPerWorkspace: number;
  /** The limit of all callers and workspaces together. */
  readonly streams: number;
}

const retryLater = { "retry-after": "5" };

/** Counts the open event streams of this process. */
export class OpenStreams {
  readonly #callers = new Map<string, number>();
  readonly #workspaces = new Map<string, number>();

  #open = 0;

  constructor(private readonly limits: StreamLimits) {}

  get count(): number {
    return this.#open;
  }

  /**
   * Counts a stream until the returned function is called. Refuses 429 above the limit of the
   * caller or the workspace, 503 above that of the platform. `workspaceId` is "" without one.
   */
  take(caller: string, workspaceId: string): () => void {
    const { streamsPerCaller, streamsPerWorkspace, streams } = this.limits;
    if ((this.#callers.get(caller) ?? 0) >= streamsPerCaller) {
      throw refused(`you have ${streamsPerCaller} open streams`);
    }
    if (workspaceId !== "" && (this.#workspaces.get(workspaceId) ?? 0) >= streamsPerWorkspace) {
      throw refused(`this workspace has ${streamsPerWorkspace} open streams`);
    }
    if (this.#open >= streams) throw new Refusal("overloaded", { headers: retryLater });
    this.#open += 1;
    add(this.#callers, caller, 1);
    add(this.#workspaces, workspaceId, 1);
    return () => {
      this.#open -= 1;
      add(this.#callers, caller, -1);
      add(this.#workspaces, workspaceId, -1);
    };
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function refused(reason: string): Refusal {
  return new Refusal("rate-limited", {
    detail: `Cannot open another stream: ${reason}, which is the limit`,
    headers: retryLater,
  });
}
