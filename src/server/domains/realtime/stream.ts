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
  type Match,
  type PlacedEvent,
} from "../feed/service.ts";
import type { CompiledType } from "../object-types/service.ts";
import { EventQueue, queuedEvent, type QueuedEvent, type UnsentEvents } from "./event-queue.ts";
import type { StreamFilter } from "./stream-filter.ts";
import type { TailReader } from "./tail.ts";

export interface StreamOptions {
  readonly feed: { readonly cursors: Pick<Feed["cursors"], "sign" | "write"> };
  readonly workspace: WorkspaceScope;
  readonly oid: string;
  /** The caller's token, which is verified again while the stream is open. */
  readonly token: string;
  readonly compiled: StreamFilter;
  /** The unsent events of its workspace. */
  readonly unsent: UnsentEvents;
}

/**
 * The views of an event: undefined for rights to which it does not exist. Many streams of the same
 * rights cost one check and one text.
 */
const views = new WeakMap<PlacedEvent, Map<string, QueuedEvent | undefined>>();

/** One subscriber: what it may read of the events of a tail. */
export class Stream implements TailReader {
  readonly queue: EventQueue;
  /** The number of the check that adds a bookmark: streams have different ones. */
  bookmarkCheck = 0;
  readonly filter: FeedFilter;
  /** Streams with the same text read the same of an event without participants. */
  readonly #rights: string;

  constructor(readonly options: StreamOptions) {
    this.queue = new EventQueue(options.unsent);
    this.filter = options.compiled.filter;
    this.#rights = rightsText(options.workspace);
  }

  take(event: PlacedEvent, type: CompiledType | undefined): void {
    const item = this.itemOf(event, type);
    if (item !== undefined) this.queue.add(item);
  }

  /** The event as this stream sends it; undefined for one that it does not have. */
  itemOf(event: PlacedEvent, type: CompiledType | undefined): QueuedEvent | undefined {
    const match = this.filter.matches(event);
    if (match === undefined) return undefined;
    let ofEvent = views.get(event);
    if (ofEvent === undefined) views.set(event, (ofEvent = new Map()));
    const reader = event.participants === undefined ? "" : this.options.oid;
    const view = `${match} ${this.#rights} ${reader}`;
    if (!ofEvent.has(view)) ofEvent.set(view, this.#made(event, type, match));
    return ofEvent.get(view);
  }

  #made(event: PlacedEvent, type: CompiledType | undefined, match: Match): QueuedEvent | undefined {
    const { feed, workspace, oid } = this.options;
    const shown = visibleTo({ oid, role: workspace }, event, type);
    if (shown === undefined) return undefined;
    const cursor = feed.cursors.sign(workspace.id, event.position);
    const cloud = cloudEvent(shown, { cursor, isLeft: match === "left" });
    return queuedEvent(cursor, cloud, shown);
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
    return queuedEvent(cursor, event, undefined);
  }
}

const digests = new WeakMap<ReadonlySet<string>, string>();

/** A role of a workspace may change while its streams are open: its permissions count too. */
function rightsText({ role, name, permissions }: WorkspaceScope): string {
  if (permissions === undefined) return `${role} ${name}`;
  let digest = digests.get(permissions);
  if (digest === undefined) {
    const text = [...permissions].toSorted().join();
    digest = new Bun.CryptoHasher("sha256").update(text).digest("base64url");
    digests.set(permissions, digest);
  }
  return `${role} ${name} ${digest}`;
}
