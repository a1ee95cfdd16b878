import { Refusal } from "#contract/problems.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { inBackground } from "../../kit/background.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import { JsonText } from "../../kit/lists/json-text.ts";
import { TickShare } from "../../kit/turns/tick-share.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Promisable } from "../../kit/promisable.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import { changedTypes } from "../../work/change-event.ts";
import type { ChangeFeed } from "../../work/change-feed.ts";
import type { AccessPort, TokenPort } from "../../work/ports.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Feed, FeedEvent, FeedPage, FeedPosition } from "../feed/service.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import type { ResourceService } from "../records/service.ts";
import type { Secrets } from "../secrets/service.ts";
import type { QueuedEvent } from "./event-queue.ts";
import { HeldRoles } from "./held-roles.ts";
import { Stream } from "./stream.ts";
import {
  currentIndexes,
  streamFilter,
  type StreamFilter,
  type StreamQuery,
} from "./stream-filter.ts";
import { StreamGrants } from "./stream-grants.ts";
import { Tail } from "./tail.ts";

export { filterText } from "./stream-filter.ts";

/** A right that has ended ends its streams after this time. */
const checkIntervalMs = 1_000;
const bookmarkChecks = 15;
/** The transactions of one read, for a stream that catches up. */
const rowsAtOnce = 64;

interface RealtimeParts {
  readonly feed: Feed;
  readonly changes: ChangeFeed;
  readonly objectTypes: ObjectTypeService;
  readonly records: Pick<ResourceService, "getSelected">;
  readonly tokens: TokenPort;
  readonly access: AccessPort;
  readonly secrets: Secrets;
  readonly platformWork: PlatformWork;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly lifetime: Lifetime;
}

export interface StreamRequest {
  readonly workspace: WorkspaceScope;
  readonly oid: string;
  readonly token: string;
  readonly query: StreamQuery;
  /** The stream begins now if this is undefined. */
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

interface OpenRequest extends StreamRequest {
  readonly compiled: StreamFilter;
  readonly from: FeedPosition;
  /** Taken once: a stream that stays open does not hold its events. */
  first: FeedPage | undefined;
}

/** An event of a stream, as JSON of a CloudEvent; the id is the cursor that continues after it. */
type SentEvent = Pick<QueuedEvent, "id" | "data"> & Partial<Pick<QueuedEvent, "isShared">>;

/** Streams of changes for clients (spec 4.6), from one tail for each workspace. */
export class Realtime {
  readonly grants: StreamGrants;
  readonly #tails = new Map<string, Tail>();
  readonly #streams = new Set<Stream>();
  #checks = 0;
  #sent = 0;

  constructor(private readonly parts: RealtimeParts) {
    this.grants = new StreamGrants(parts);
    parts.lifetime.every(checkIntervalMs, "streams-not-checked", () => this.#check());
    parts.lifetime.onClose(async () => {
      for (const stream of this.#streams) stream.queue.clear();
      for (const tail of this.#tails.values()) await tail.end()?.catch(() => {});
    });
    parts.changes.listen({
      changed: (event) => {
        if (event.kind === "object-type") this.#checkTypes(changedTypes(event).workspaceId);
      },
      missed: () => this.#checkTypes(undefined),
    });
  }

  /** Refuses 422 for a filter that no stream can have. */
  async requireFilter(workspace: WorkspaceScope, query: StreamQuery): Promise<void> {
    await streamFilter(this.parts.objectTypes, workspace, query, "body");
  }

  /** Refuses 410 for a cursor that cannot continue, 422 for a filter; then its events. */
  async open(work: Work, request: StreamRequest): Promise<AsyncGenerator<SentEvent, void, void>> {
    const { feed, objectTypes } = this.parts;
    const { workspace, query, cursor } = request;
    const compiled = await streamFilter(objectTypes, workspace, query, "query");
    const from =
      cursor === undefined
        ? await feed.position(work, workspace.id)
        : await feed.positionOf(work, workspace.id, cursor);
    const first = await feed.read(work, workspace.id, from, rowsAtOnce);
    if (first.reset !== undefined) throw feed.refusal(workspace.id, first);
    return this.#events(work, { ...request, compiled, from, first });
  }

  /** Streams that are open now, and the events that all streams have had. */
  get figures(): { readonly streams: number; readonly events: number } {
    return { streams: this.#streams.size, events: this.#sent };
  }

  async *#events(work: Work, request: OpenRequest): AsyncGenerator<SentEvent, void, void> {
    const { from, query, workspace, oid, token, compiled } = request;
    const { feed } = this.parts;
    const tail = this.#tailOf(workspace.id);
    const { unsent } = tail;
    const stream = new Stream({ feed, workspace, oid, token, compiled, unsent });
    const send = (item: QueuedEvent): Promise<SentEvent> | SentEvent =>
      query.full === true ? this.#whole(work, item, request) : item;
    const leave = (): void => stream.queue.clear();
    try {
      // A reader that leaves waits for no event.
      request.signal.addEventListener("abort", leave, { once: true });
      tail.streams += 1;
      this.#streams.add(stream);
      stream.bookmarkCheck = this.#streams.size % bookmarkChecks;
      yield stream.note("bookmark", from);
      for await (const item of this.#items(stream, request)) {
        const sent = await send(item);
        // A slow reader takes an event long after it was found: its right may have ended since.
        if (stream.queue.isCleared) return;
        this.#sent += 1;
        yield sent;
      }
    } finally {
      request.signal.removeEventListener("abort", leave);
      this.#streams.delete(stream);
      tail.streams -= 1;
      this.#leave(workspace.id);
    }
  }

  /** The events of the database up to now, then those of the tail. */
  async *#items(stream: Stream, request: OpenRequest): AsyncGenerator<QueuedEvent, void, void> {
    const { queue } = stream;
    const late = { seen: new Set<string>(), position: request.from };
    let remove: (() => void) | undefined;
    try {
      yield* this.#catchUp(stream, late, takenFrom(request));
      remove = await this.#tailOf(stream.options.workspace.id).add(stream);
      // The tail has what comes after the join, this read what came before.
      yield* this.#catchUp(stream, late, undefined);
      for (;;) {
        const item = await queue.take();
        if (item === undefined) return;
        if (item.event === undefined || !late.seen.delete(item.event.id)) yield item;
      }
    } finally {
      remove?.();
    }
  }

  /** Reads pages from the database up to the last one; notes the ids of its events. */
  async *#catchUp(
    stream: Stream,
    late: { readonly seen: Set<string>; position: FeedPosition },
    first: FeedPage | undefined,
  ): AsyncGenerator<QueuedEvent, void, void> {
    const { feed } = this.parts;
    const { id } = stream.options.workspace;
    const work = this.parts.platformWork("changes of a workspace for a stream that catches up");
    for (let next = first; !stream.queue.isEnded; next = undefined) {
      const page = next ?? (await feed.read(work, id, late.position, rowsAtOnce));
      if (page.reset !== undefined) return stream.reset(page);
      late.position = page.next;
      for (const event of page.events) {
        const item = stream.itemOf(event, await feed.typeOf(event));
        if (item === undefined) continue;
        if (first === undefined) late.seen.add(event.id);
        yield item;
      }
      if (page.isWhole) return;
    }
    // Queued events come after pages that were not read, which the cursor must not skip.
    if (stream.queue.isFull) stream.queue.clear();
  }

  /** The event with the record as of its version; null for one that can no longer be read. */
  async #whole(work: Work, item: QueuedEvent, request: StreamRequest): Promise<SentEvent> {
    const { event } = item;
    if (event?.type === undefined || event.kind !== "record") return item;
    const record = await this.#recordOf(work, event, request);
    const cloud = JSON.parse(item.text) as CloudEvent & { readonly data: object };
    const text = JSON.stringify({ ...cloud, data: { ...cloud.data, record } });
    return { id: item.id, data: new JsonText(text) };
  }

  async #recordOf(work: Work, event: FeedEvent, request: StreamRequest): Promise<unknown> {
    const { workspaceId, type: slug = "", subject: id, version } = event;
    try {
      const scope = { workspaceId, slug, id, actor: request.oid };
      return await this.parts.records.getSelected(work, scope, { version }, request.signal);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  #tailOf(workspaceId: string): Tail {
    const { feed, logger, platformWork } = this.parts;
    let tail = this.#tails.get(workspaceId);
    if (tail === undefined) {
      const work = platformWork("changes of a workspace for its streams");
      tail = new Tail({ feed, work, logger, workspaceId });
      this.#tails.set(workspaceId, tail);
    }
    return tail;
  }

  #leave(workspaceId: string): void {
    const tail = this.#tails.get(workspaceId);
    if (tail === undefined || tail.streams > 0) return;
    this.#tails.delete(workspaceId);
    inBackground(this.parts.logger, "realtime-not-read", () => tail.end());
  }

  /** Ends the streams of callers whose token, session, key or role has ended or changed. */
  async #check(): Promise<void> {
    this.#checks += 1;
    for (const tail of this.#tails.values()) tail.retry();
    const held = new HeldRoles(this.parts);
    const bookmarks = new Map<string, { position: FeedPosition; item: QueuedEvent }>();
    const turn = new TickShare();
    for (const stream of this.#streams) {
      if (turn.isUsed) await turn.begin();
      const { token, workspace } = stream.options;
      // A thousand streams of one caller wait for one answer.
      const isSame = held.isSame(token, workspace);
      if (!(typeof isSame === "boolean" ? isSame : await isSame)) {
        stream.queue.clear();
        continue;
      }
      const position = this.#tails.get(workspace.id)?.position;
      const isDue = stream.bookmarkCheck === this.#checks % bookmarkChecks;
      if (!isDue || position === undefined) continue;
      let kept = bookmarks.get(workspace.id);
      if (kept?.position !== position) {
        kept = { position, item: stream.note("bookmark", position) };
        bookmarks.set(workspace.id, kept);
      }
      stream.bookmark(kept.item);
    }
  }

  #checkTypes(workspaceId: string | undefined): void {
    const { logger, objectTypes, feed } = this.parts;
    const positions = new Map<string, Promisable<FeedPosition>>();
    for (const stream of this.#streams) {
      const { workspace, compiled } = stream.options;
      const isOther = workspaceId !== undefined && workspace.id !== workspaceId;
      if (isOther || compiled.filter.types === undefined) continue;
      inBackground(logger, "streams-not-checked", async () => {
        const work = this.parts.platformWork("the position of a stream that ends");
        // Streams of one workspace end at one position, which is before the look at their types.
        const asked = positions.get(workspace.id) ?? feed.position(work, workspace.id);
        positions.set(workspace.id, asked);
        const position = await asked;
        const now = await currentIndexes(objectTypes, workspace, compiled.filter);
        if (now !== compiled.indexes) stream.endByType(position);
      });
    }
  }
}

function takenFrom(request: OpenRequest): FeedPage | undefined {
  const { first } = request;
  request.first = undefined;
  return first;
}
