import type { WorkspaceScope } from "../../work/caller.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { Refusal } from "#contract/problems.ts";
import type { FeedFilter, FeedReset, PlacedEvent } from "../feed/service.ts";
import { hasPending, insertDeliveries, type DeliveryRecord } from "./delivery-store.ts";
import { reportTrouble } from "./outcomes.ts";
import { filterOf } from "./endpoint-wire.ts";
import type { AlertReader, EventSource, KeptEvent } from "./event-source.ts";
import { isOfEndpoint, laneOf, newDelivery } from "./outcomes.ts";
import {
  advanceEndpoint,
  endpointById,
  leaseEndpoint,
  releaseEndpoint,
  updateEndpoint,
  type EndpointRecord,
} from "./store.ts";
import { storedRole } from "../../work/held-role.ts";

/** Events that one step reads. */
const eventsAtOnce = 200;
/** An endpoint with more pending deliveries waits at its position in the feed. */
const maximumPending = 10_000;
const leaseMs = 30_000;

type About = Parameters<typeof newDelivery>[1];

/** Makes the deliveries of an endpoint from the feed, from its position on. */
export class FanOut {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly events: EventSource;
      readonly readAlert: AlertReader;
      readonly now: () => Date;
    },
  ) {}

  /** Reads all new events, unless another platform does; returns how many deliveries it made. */
  async follow(listed: EndpointRecord): Promise<number> {
    const work = this.parts.platformWork("webhooks of a workspace").within(listed.workspace_id);
    const nowMs = this.parts.now().getTime();
    const now = new Date(nowMs).toISOString();
    const until = new Date(nowMs + leaseMs).toISOString();
    let endpoint = await work.write((tx) => leaseEndpoint(tx, listed, { now, until }));
    if (endpoint === undefined) return 0;
    let made = 0;
    let isReleased = false;
    try {
      while (endpoint?.state === "active") {
        if (await hasPending(work.read, endpoint, maximumPending)) return made;
        const step = await this.#step(work, endpoint);
        made += step.made;
        ({ isReleased } = step);
        if (step.isLast || this.parts.now().getTime() - nowMs > leaseMs / 2) return made;
        endpoint = await endpointById(work.read, listed.workspace_id, listed.id);
      }
      return made;
    } catch (error) {
      if (error instanceof EndpointDisabledError) return made;
      throw error;
    } finally {
      if (!isReleased) await work.write((tx) => releaseEndpoint(tx, listed, until));
    }
  }

  /** Makes the deliveries of one page of the feed; the last one gives the lease back. */
  async #step(work: Work, endpoint: EndpointRecord): Promise<Step> {
    const { events } = this.parts;
    const { workspace_id: workspaceId, position } = endpoint;
    const page = await events.read(work, workspaceId, position, eventsAtOnce);
    if (page.reset !== undefined) {
      const reset = [this.#reset(endpoint, page)];
      await this.#store(work, endpoint, { to: page.next, made: reset, isLast: false });
      return { made: 1, isLast: false, isReleased: false };
    }
    const { isWhole: isLast } = page;
    if (page.events.length === 0 && page.next === position) {
      return { made: 0, isLast, isReleased: false };
    }
    const made = page.events.length === 0 ? [] : await this.#wanted(work, endpoint, page.events);
    const isMoved = await this.#store(work, endpoint, { to: page.next, made, isLast });
    return { made: made.length, isLast, isReleased: isLast && isMoved };
  }

  async #wanted(
    work: Work,
    endpoint: EndpointRecord,
    placed: readonly PlacedEvent[],
  ): Promise<About[]> {
    const { events } = this.parts;
    const role = { id: endpoint.workspace_id, role: storedRole(endpoint.role) };
    const filter = await this.#filter(work, endpoint);
    const { rules } = filterOf(endpoint);
    const made: About[] = [];
    for (const event of placed) {
      if (isOfEndpoint(event)) continue;
      const visible = await events.visible(role, event);
      const match = visible && filter?.matches(visible);
      if (visible === undefined || match === undefined) continue;
      if (rules !== null && !(await this.#isOfRules(work, role, event, rules))) continue;
      const kept = keptOf({ ...visible, position: event.position }, match === "left");
      made.push({
        place: 0,
        origin: "event",
        event_id: event.id,
        event_type: events.cloudEvent(kept).type,
        subject: laneOf(event.subject),
        event: JSON.stringify(kept),
      });
    }
    return made;
  }

  /** True for an alert that one of the rules has raised, as far as the role may read it. */
  async #isOfRules(
    work: Work,
    role: WorkspaceScope,
    { kind, subject }: PlacedEvent,
    rules: readonly string[],
  ): Promise<boolean> {
    if (kind !== "alert") return false;
    const alert = await this.parts.readAlert(work, role, subject);
    return alert?.ruleId !== undefined && rules.includes(alert.ruleId);
  }

  /** Disables an endpoint whose type or indexed property is gone. */
  async #filter(work: Work, endpoint: EndpointRecord): Promise<FeedFilter | undefined> {
    const role = { id: endpoint.workspace_id, role: storedRole(endpoint.role) };
    try {
      return await this.parts.events.filter(role, filterOf(endpoint));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await work.write(async (tx) => {
        await updateEndpoint(tx, endpoint, { state: "disabled", disabled_reason: "filter" });
        reportTrouble(tx, endpoint);
      });
      throw new EndpointDisabledError();
    }
  }

  #reset(endpoint: EndpointRecord, reset: FeedReset): About {
    return {
      place: 0,
      origin: "reset",
      event_id: `reset-${Bun.randomUUIDv7()}`,
      event_type: "svc.feed.reset",
      subject: null,
      event: JSON.stringify(this.parts.events.resetData(endpoint.workspace_id, reset)),
    };
  }

  /**
   * Deliveries and position are one unit, so that each event has one delivery. False if another
   * platform has moved the endpoint on.
   */
  #store(
    work: Work,
    endpoint: EndpointRecord,
    { to, made, isLast }: { readonly to: string; readonly made: readonly About[]; isLast: boolean },
  ): Promise<boolean> {
    const now = this.parts.now();
    return work.write(async (tx) => {
      const moved = { to, places: made.length, isReleased: isLast };
      const first = await advanceEndpoint(tx, endpoint, moved);
      if (first === undefined) return false;
      const rows = made.map((about, at) =>
        newDelivery(endpoint, { ...about, place: first + at }, now),
      );
      await insertDeliveries(tx, rows);
      if (made.some(({ origin }) => origin === "reset")) reportTrouble(tx, endpoint);
      return true;
    });
  }
}

interface Step {
  readonly made: number;
  readonly isLast: boolean;
  readonly isReleased: boolean;
}

/** The endpoint keeps its position until an administrator enables it. */
class EndpointDisabledError extends Error {
  override readonly name = "EndpointDisabledError";
}

function keptOf(
  { before: _before, after: _after, ...rest }: PlacedEvent,
  isLeft: boolean,
): KeptEvent {
  return { ...rest, isLeft };
}

/** The stored event of a delivery whose origin is the feed. */
export function keptEventOf({ event }: DeliveryRecord): KeptEvent {
  // Only this module writes it.
  return JSON.parse(event) as KeptEvent;
}
