import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Feed } from "../feed/service.ts";
import { removeExpiredDeliveries } from "./delivery-store.ts";
import type { FanOut } from "./fan-out.ts";
import { Lane } from "./lanes/lane.ts";
import type { LaneTurns } from "./lanes/lane-turns.ts";
import { laneNames, type LaneName } from "./lanes/room.ts";
import type { Sender, SentAttempt } from "./sender.ts";
import {
  activeEndpoints,
  deleteEndpoint,
  expiredEndpoints,
  releaseAll,
  type EndpointKey,
  type EndpointRecord,
} from "./store.ts";

/** Changes of this time become one look at the endpoints that answer. */
const gatherMs = 20;
/**
 * The pause between looks for due retries. It also gathers the changes and the attempts of
 * endpoints that do not answer, so that these share a few commits per second.
 */
const lookMs = 1_000;
const sweepMs = 60_000;
const rowsAtOnce = 500;
/** Endpoints whose deliveries are made at the same time, so that their writes share commits. */
const endpointsAtOnce = 16;
/** Changed workspaces whose endpoints are read by name; of more of them all are read. */
const namedWorkspaces = 500;

interface WorkerParts {
  readonly platformWork: PlatformWork;
  readonly changes: Pick<Feed, "wake">;
  readonly fanOut: FanOut;
  readonly sender: Sender;
  readonly turns: LaneTurns;
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
  readonly #lanes: Readonly<Record<LaneName, Lane>>;

  constructor(private readonly parts: WorkerParts) {
    this.#work = parts.platformWork("webhooks of all workspaces");
    const { logger } = parts;
    const laneOf = (name: LaneName): Lane =>
      new Lane({ logger, look: (changed) => this.#look(name, changed) });
    this.#lanes = { sound: laneOf("sound"), unsound: laneOf("unsound") };
  }

  async start(): Promise<void> {
    const { lifetime, sender } = this.parts;
    const stop = async (): Promise<void> => {
      const lanes = Object.values(this.#lanes);
      for (const lane of lanes) lane.stop();
      for (const forget of this.#known.values()) forget();
      await sender.stop();
      await Promise.all(lanes.map((lane) => lane.ended));
    };
    lifetime.onDrain(stop);
    lifetime.onClose(stop);
    // On SQLite the leases are those of a process that is gone.
    if (this.#work.read.dialect === "sqlite") await this.#work.write(releaseAll);
    await this.sweep();
    for (const name of laneNames) {
      lifetime.every(lookMs, "webhooks-not-sent", () => this.#tick(name));
    }
    lifetime.every(sweepMs, "webhooks-not-swept", () => this.sweep());
  }

  /** The endpoints of this workspace are looked at soon. */
  readonly noteActive = (workspaceId: string): void => {
    const note = (): void => {
      for (const name of laneNames) this.#lanes[name].note(workspaceId);
      this.#lanes.sound.wake(gatherMs);
    };
    if (!this.#known.has(workspaceId)) {
      this.#known.set(workspaceId, this.parts.changes.wake(workspaceId, note));
    }
    note();
  };

  /** Looks for due deliveries of all endpoints, such as those of a test. */
  readonly wake = (): void => {
    for (const name of laneNames) this.#lanes[name].wake(gatherMs);
  };

  /** Gives the room of an attempt to the next one of those that answer. */
  readonly noteSent = ({ workspaceId, lane, isDelivered }: SentAttempt): void => {
    // An endpoint that becomes sound between the looks of both lanes is in neither of them.
    if (lane === "unsound" && isDelivered) this.#lanes.sound.note(workspaceId);
    if (lane === "sound" || isDelivered) this.#lanes.sound.wake(gatherMs);
  };

  /** Looks until nothing is due and all attempts have ended. */
  async settle(): Promise<void> {
    const { sender } = this.parts;
    for (const workspaceId of this.#known.keys()) this.noteActive(workspaceId);
    let isBusy: boolean;
    do {
      for (const name of laneNames) await this.#lanes[name].look();
      await sender.idle();
      let begun = 0;
      for (const name of laneNames) begun += await sender.sendDue(name);
      // A lane may have begun an attempt meanwhile, whose end makes the next in order due.
      isBusy = (await sender.idle()) || begun > 0;
    } while (isBusy);
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
    for await (const { workspace_id: workspaceId } of this.#active(undefined))
      found.add(workspaceId);
    for (const [workspaceId, forget] of this.#known) {
      if (found.has(workspaceId)) continue;
      forget();
      this.#known.delete(workspaceId);
    }
    for (const workspaceId of found) this.noteActive(workspaceId);
  }

  /** Looks for retries that are due now. */
  async #tick(name: LaneName): Promise<void> {
    if (this.#known.size > 0) await this.#lanes[name].look();
  }

  async #look(name: LaneName, changed: ReadonlySet<string>): Promise<void> {
    if (changed.size > 0) await this.#followAll(name, changed);
    await this.parts.sender.sendDue(name);
  }

  /** Makes the deliveries of the endpoints of a lane in these workspaces. */
  async #followAll(name: LaneName, changed: ReadonlySet<string>): Promise<void> {
    const occupancy = this.parts.sender.occupancy();
    const endpoints = this.#active(changed.size > namedWorkspaces ? undefined : [...changed]);
    const followNext = async (): Promise<void> => {
      for await (const endpoint of endpoints) {
        const isDue = changed.has(endpoint.workspace_id);
        if (isDue && occupancy.laneOf(endpoint) === name) await this.#follow(name, endpoint);
      }
    };
    await Promise.all(Array.from({ length: endpointsAtOnce }, followNext));
  }

  /** An endpoint that fails keeps its position, and does not stop the others. */
  async #follow(name: LaneName, endpoint: EndpointRecord): Promise<void> {
    const { turns, fanOut } = this.parts;
    try {
      const made = await turns.run(name, () => fanOut.follow(endpoint));
      // Its first attempts do not wait until all endpoints have been followed.
      if (made > 0) await this.parts.sender.sendTo(endpoint);
    } catch (error) {
      this.parts.logger.error({ event: "webhooks-not-made", error: String(error) });
    }
  }

  async *#active(
    workspaceIds: readonly string[] | undefined,
  ): AsyncGenerator<EndpointRecord, void, undefined> {
    let after: EndpointKey | undefined;
    for (;;) {
      const wish = { after, limit: rowsAtOnce };
      const page = await activeEndpoints(this.#work.read, workspaceIds, wish);
      yield* page;
      after = page.at(-1);
      if (page.length < rowsAtOnce) return;
    }
  }
}
