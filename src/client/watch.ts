import { catalogError, CatalogError } from "#contract/errors.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { given } from "#lib/given.ts";
import type { ContractCalls } from "./calls.ts";
import { mayLackRoute } from "./failures.ts";

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
   * Called before each further try: with the error that broke the stream, or with undefined when
   * the platform has ended it. It may throw to end the watch.
   */
  readonly onBreak?: ((error: CatalogError | undefined) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Watching = { readonly realtime: Pick<ContractCalls["realtime"], "events"> } & {
  readonly tenantId: string | undefined;
};

const firstPauseMs = 250;
const longestPauseMs = 15_000;

/**
 * Follows the changes of the client's workspace, and continues after any break from the last event
 * that was yielded, each at least once. It ends after `svc.feed.reset`, whose `data` names the
 * lists to read again and the cursor to continue from. Throws the signal's reason, a refusal (410
 * for a cursor that cannot continue), and E203 for a platform without realtime.
 */
export async function* watch(
  client: Watching,
  options: WatchOptions = {},
): AsyncGenerator<CloudEvent, void, undefined> {
  const { types, kinds, where, full, signal } = options;
  let { cursor } = options;
  for (let failures = 0; ; failures += 1) {
    const query = given({
      tenant_id: client.tenantId,
      types: types?.join(","),
      kinds: kinds?.join(","),
      where: where === undefined ? undefined : JSON.stringify(where),
      full,
      cursor,
    });
    let broken: CatalogError | undefined;
    try {
      for await (const event of client.realtime.events({ query, ...given({ signal }) })) {
        failures = 0;
        if (event.type !== "svc.feed.bookmark" || options.bookmarks === true) yield event;
        cursor = event.svccursor ?? cursor;
        if (event.type === "svc.feed.reset") return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayPass(error)) throw withoutRealtime(error);
      broken = error;
    }
    options.onBreak?.(broken);
    await pause(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), signal);
  }
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

/** The refusal, or the reason that a deployment has no such route. */
function withoutRealtime(error: unknown): unknown {
  const isMissing =
    error instanceof CatalogError &&
    (error.status === 405 || error.status === 501 || (error.status === 404 && mayLackRoute(error)));
  if (!isMissing) return error;
  const details = "this platform has no stream of changes";
  const hint = "List again from time to time instead; `svc verify calls` reports what it has";
  return catalogError("E203", { details }, { hint, cause: error });
}

/** Waits between half of the time and all of it, so that clients do not return at once. */
async function pause(longestMs: number, signal: AbortSignal | undefined): Promise<void> {
  const spread = new Uint32Array(1);
  crypto.getRandomValues(spread);
  const waitMs = longestMs * (0.5 + (spread[0] ?? 0) / 2 ** 33);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal?.addEventListener("abort", end, { once: true });
  });
  signal?.throwIfAborted();
}
