import type { Work } from "../../work/work.ts";
import type { Alert } from "#contract/events/alerts.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { given } from "#lib/given.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import {
  cloudEvent,
  compileFilter,
  readableBy,
  type Feed,
  type FeedEvent,
  type FeedFilter,
  type FeedPosition,
  type FeedReset,
} from "../feed/service.ts";
import type { ObjectTypeService, ReadableType } from "../object-types/service.ts";
import type { EndpointFilter } from "./endpoint-wire.ts";

/** Reads an alert to a role, as that role may read it; undefined where it may not. */
export type AlertReader = (
  work: Work,
  workspace: WorkspaceScope,
  id: string,
) => Promise<Alert | undefined>;

/** An event as a delivery stores it: without values, which a purge or an erasure would miss. */
export interface KeptEvent extends Omit<FeedEvent, "before" | "after"> {
  readonly position: FeedPosition;
  /** The record has left the filter of the endpoint. */
  readonly isLeft: boolean;
}

/** The feed of changes as the role of an endpoint reads it. */
export class EventSource {
  readonly position: Feed["position"];
  readonly read: Feed["read"];

  constructor(
    private readonly feed: Feed,
    private readonly objectTypes: Pick<ObjectTypeService, "find">,
  ) {
    this.position = feed.position.bind(feed);
    this.read = feed.read.bind(feed);
  }

  /** Refuses 422 for a filter on types or properties that the role does not see. */
  async filter(role: WorkspaceScope, filter: EndpointFilter): Promise<FeedFilter> {
    const { kinds, types, where } = filter;
    const readable: ReadableType[] = [];
    for (const [at, slug] of (types ?? []).entries()) {
      const type = await this.objectTypes.find(role.id, slug);
      const shown = type === undefined ? undefined : readableBy({ role }, type);
      if (shown === undefined) {
        throw invalid([
          faultAt("body", ["types", at], "is not an Object Type that the role reads"),
        ]);
      }
      readable.push(shown);
    }
    return compileFilter(
      given({ kinds: kinds ?? undefined, types: types ?? undefined, where: where ?? undefined }),
      readable,
      [],
    );
  }

  /** The event without what the role may not read; undefined where it may not know of it. */
  async visible(role: WorkspaceScope, event: FeedEvent): Promise<FeedEvent | undefined> {
    return this.feed.visible({ role }, event);
  }

  /** The data of `svc.feed.reset`, as streams have it. */
  resetData(workspaceId: string, { reset, resources, next }: FeedReset): object {
    return { reason: reset, resources, cursor: this.feed.cursors.sign(workspaceId, next) };
  }

  cloudEvent({ position, isLeft, ...event }: KeptEvent, record?: unknown): CloudEvent {
    const cursor = this.feed.cursors.sign(event.workspaceId, position);
    return cloudEvent(event, { cursor, isLeft, ...given({ record }) });
  }
}
