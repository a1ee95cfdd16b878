import { catalogError, CatalogError } from "#contract/errors.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { given } from "#lib/given.ts";
import type { ContractCalls } from "../calls.ts";
import { mayLackRoute } from "../failures.ts";
import { WatchedLists, type ListClient } from "./lists.ts";
import { pause } from "./pause.ts";
import { NoSocketError, socketEvents, type SocketClient } from "./socket.ts";

/** The changes that a watch yields, and where it begins. */
export interface WatchOptions {
  /** Object Types by their slugs; only changes of their records and files are left. */
  readonly types?: readonly string[] | undefined;
  /** Kinds of changes, e.g. `["record", "document", "job"]`. */
  readonly kinds?: readonly string[] | undefined;
  /** A filter of records by indexed properties of the `types`, as in a list. */
  readonly where?: object | undefined;
  /** Where to continue: `feedCursor` of a list, or `svccursor` of an event. Default: now. */
  readonly cursor?: string | undefined;
  /** Adds the record as of the event's version, in `data.record`. */
  readonly full?: boolean | undefined;
  /** Yields `svc.feed.bookmark` too, whose `svccursor` moves on although nothing matched. */
  readonly bookmarks?: boolean | undefined;
  /**
   * How the changes come: server-sent events (`sse`, the default) or a WebSocket. A runtime without
   * `WebSocket`, and a connection on which none opens, have server-sent events too.
   */
  readonly transport?: "sse" | "websocket" | undefined;
  /**
   * Called before each further try: with the error that broke the stream, or with undefined when
   * the platform has ended it. It may throw to end the watch.
   */
  readonly onBreak?: ((error: CatalogError | undefined) => void) | undefined;
  /**
   * Called once when the platform has no stream of changes, so that the lists of records are read
   * again and again instead. It may throw to end the watch.
   */
  readonly onPoll?: (() => void) | undefined;
  /** The pause between two reads of the lists, in milliseconds (default 5,000). */
  readonly pollMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Watching = SocketClient & {
  readonly realtime: Pick<ContractCalls["realtime"], "events">;
} & ListClient;

const firstPauseMs = 250;
const longestPauseMs = 15_000;

/**
 * Follows the changes of the client's workspace, and continues after any break from the last event
 * that was yielded, each at least once. It ends after `svc.feed.reset`, whose `data` names the
 * lists to read again and the cursor to continue from. On a platform without a stream of changes it
 * compares the lists of records. Throws the signal's reason, a refusal (410 for a cursor that
 * cannot continue), and E203 for other `kinds` on a platform without a stream.
 */
export async function* watch(
  client: Watching,
  options: WatchOptions = {},
): AsyncGenerator<CloudEvent, void, undefined> {
  const { signal } = options;
  let { cursor } = options;
  let lists: WatchedLists | undefined;
  let changes = options.transport === "websocket" ? socketEvents : streamed;
  for (let failures = 0; ; failures += 1) {
    let broken: CatalogError | undefined;
    try {
      for await (const event of lists?.events() ?? changes(client, { ...options, cursor })) {
        failures = 0;
        if (event.type !== "svc.feed.bookmark" || options.bookmarks === true) yield event;
        cursor = event.svccursor ?? cursor;
        if (event.type === "svc.feed.reset") return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof NoSocketError) {
        changes = streamed;
        continue;
      }
      if (lists === undefined && lacksStream(error)) {
        if (options.kinds?.includes("record") === false) throw withoutStream(error);
        options.onPoll?.();
        lists = new WatchedLists(client, { ...options, cursor });
        continue;
      }
      if (!mayPass(error)) throw error;
      broken = error;
    }
    options.onBreak?.(broken);
    await pause(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), signal);
  }
}

function streamed(client: Watching, options: WatchOptions): AsyncIterable<CloudEvent> {
  const { types, kinds, where, full, cursor, signal } = options;
  const query = given({
    tenant_id: client.tenantId,
    types: types?.join(","),
    kinds: kinds?.join(","),
    where: where === undefined ? undefined : JSON.stringify(where),
    full,
    cursor,
  });
  return client.realtime.events({ query, ...given({ signal }) });
}

/** A platform that restarts, is busy, or ends streams of a full connection. */
function mayPass(error: unknown): error is CatalogError {
  if (!(error instanceof CatalogError)) return false;
  if (error.code === "E201") return true;
  return (
    error.code === "E203" &&
    (error.status === undefined || error.status < 500 || error.status > 501)
  );
}

/** True if the error says that the deployment has no such route. */
function lacksStream(error: unknown): boolean {
  return (
    error instanceof CatalogError &&
    (error.status === 405 || error.status === 501 || (error.status === 404 && mayLackRoute(error)))
  );
}

function withoutStream(cause: unknown): CatalogError {
  const details = "this platform has no stream of changes";
  const hint = "Only records can be followed here; `svc verify calls` reports what it has";
  return catalogError("E203", { details }, { hint, cause });
}
