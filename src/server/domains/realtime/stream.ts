import type { CloudEvent } from "#contract/platform/realtime.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import {
  cloudEvent,
  resourcesOf,
  visibleTo,
  type Feed,
  type FeedFilter,
  type FeedPosition,
  type FeedReset,
  type PlacedEvent,
} from "../feed/service.ts";
import type { CompiledType } from "../object-types/service.ts";
import { EventQueue, type QueuedEvent, type UnsentEvents } from "./event-queue.ts";
import type { StreamFilter } from "./stream-filter.ts";
import type { TailReader } from "./tail.ts";

export interface StreamOptions {
  readonly feed: Feed;
  readonly workspace: WorkspaceScope;
  readonly oid: string;
  /** The caller's token, which is verified again while the stream is open. */
  readonly token: string;
  readonly compiled: StreamFilter;
  /** The unsent events of its workspace. */
  readonly unsent: UnsentEvents;
}

/** Texts of an event, which streams of the same role share. */
const texts = new WeakMap<PlacedEvent, Map<string, QueuedEvent>>();

/** One subscriber: what it may read of the events of a tail. */
export class Stream implements TailReader {
  readonly queue: EventQueue;
  /** The number of the check that adds a bookmark: streams have different ones. */
  bookmarkCheck = 0;
  readonly filter: FeedFilter;

  constructor(readonly options: StreamOptions) {
    this.queue = new EventQueue(options.unsent);
    this.filter = options.compiled.filter;
  }

  take(event: PlacedEvent, type: CompiledType | undefined): void {
    const item = this.itemOf(event, type);
    if (item !== undefined) this.queue.add(item);
  }

  /** The event as this stream sends it; undefined for one that it does not have. */
  itemOf(event: PlacedEvent, type: CompiledType | undefined): QueuedEvent | undefined {
    const { feed, workspace, oid } = this.options;
    const match = this.filter.matches(event);
    const shown = match && visibleTo({ oid, role: workspace }, event, type);
    if (shown === undefined) return undefined;
    const view = `${match} ${workspace.role} ${workspace.name}`;
    const kept = texts.get(event) ?? new Map<string, QueuedEvent>();
    texts.set(event, kept);
    let item = kept.get(view);
    if (item === undefined) {
      const cursor = feed.cursors.sign(workspace.id, event.position);
      const text = JSON.stringify(cloudEvent(shown, { cursor, isLeft: match === "left" }));
      kept.set(view, (item = { id: cursor, text, event: shown }));
    }
    return item;
  }

  reset(reset: FeedReset): void {
    this.queue.endWith(this.note("reset", reset.next, { reason: reset.reset }));
  }

  /** The properties that the filter tests are no longer indexed, or are so newly. */
  endByType(position: FeedPosition): void {
    this.queue.endWith(this.note("reset", position, { reason: "type-changed" }));
  }

  get unsentEvents(): number {
    return this.queue.size;
  }

  drop(): void {
    this.queue.drop();
  }

  /** Moves the reader's cursor on; other streams of the workspace may have the same event. */
  bookmark(bookmark: QueuedEvent): void {
    if (this.queue.isEmpty) this.queue.add(bookmark);
  }

  /** An event about the stream itself. */
  note(name: "bookmark" | "reset", position: FeedPosition, data?: object): QueuedEvent {
    const { feed, workspace } = this.options;
    const cursor = feed.cursors.write(workspace.id, position);
    const resources = resourcesOf(workspace.id);
    const event: CloudEvent = {
      specversion: "1.0",
      id: Bun.randomUUIDv7(),
      source: `/v4/workspaces/${workspace.id}`,
      type: `svc.feed.${name}`,
      time: new Date().toISOString(),
      datacontenttype: "application/json",
      workspaceid: workspace.id,
      svccursor: cursor,
      data: name === "reset" ? { ...data, resources, cursor } : {},
    };
    return { id: cursor, text: JSON.stringify(event), event: undefined };
  }
}
