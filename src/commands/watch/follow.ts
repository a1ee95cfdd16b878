import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import type { JsonObject } from "#contract/values.ts";
import { filledText, membersOf } from "#lib/json/value.ts";
import type { CommandContext } from "../kit/context.ts";

export interface Followed {
  readonly types: readonly string[] | undefined;
  readonly kinds: readonly string[] | undefined;
  readonly where: JsonObject | undefined;
  readonly full: boolean;
  /** Begins now if it is undefined. */
  readonly cursor: string | undefined;
  /** Reads the records of the types again after a loss; otherwise the loss is an error. */
  readonly rereads: boolean;
  readonly signal: AbortSignal;
}

/** A change, or a cursor alone: everything before it has been yielded. */
export interface FollowedItem {
  readonly event: CloudEvent | undefined;
  readonly cursor: string | undefined;
  /** A record that is read again: a cursor follows after the last one. */
  readonly isRead?: true;
  /** The last event of a watch that cannot continue: its error follows. */
  readonly isReset?: true;
}

/** The answer of a platform that does not know which changes a reader has missed. */
interface Reset {
  /** The event of the stream, or one of the refusal. */
  readonly event: CloudEvent;
  readonly reason: string;
  readonly cursor: string;
  readonly error: CatalogError;
}

/**
 * The changes from a cursor. It waits for a platform that goes away, but the first connection must
 * succeed. Throws the refusal, and E202 for a reset unless the records are read again.
 */
export async function* follow(
  context: CommandContext,
  client: Client,
  options: Followed,
): AsyncGenerator<FollowedItem, void, undefined> {
  const { output } = context;
  let { cursor } = options;
  for (;;) {
    let reset: Reset | undefined;
    try {
      for await (const event of connected(context, client, { ...options, cursor })) {
        if (event.type === "svc.feed.reset") reset = resetOf(event, undefined);
        else {
          const isChange = event.type !== "svc.feed.bookmark";
          yield { event: isChange ? event : undefined, cursor: event.svccursor };
        }
      }
    } catch (error) {
      const isReset = error instanceof CatalogError && error.status === 410;
      reset = isReset ? resetOf(refusedEvent(client, error.problem), error) : undefined;
      if (reset === undefined) throw error;
    }
    if (reset === undefined) return;
    if (!options.rereads) {
      yield { event: reset.event, cursor: undefined, isReset: true };
      throw reset.error;
    }
    await output.note(
      shown`Some changes are not known (${reset.reason}): the records are read again`,
    );
    yield* records(client, options);
    ({ cursor } = reset);
    yield { event: undefined, cursor };
  }
}

async function* connected(
  { output }: CommandContext,
  client: Client,
  { types, kinds, where, full, cursor, signal }: Followed,
): AsyncGenerator<CloudEvent, void, undefined> {
  let isOpen = false;
  const onBreak = (error: CatalogError | undefined): void => {
    const details = "the stream ended before its first event";
    if (!isOpen) throw error ?? catalogError("E203", { details });
    if (error !== undefined) void output.progress(`${error.message}; trying again`);
  };
  const onPoll = (): void => {
    void output.note(
      shown`This platform has no stream of changes: the lists of records are compared every 5 s`,
    );
  };
  const query = { types, kinds, where, full, cursor, signal, bookmarks: true, onBreak, onPoll };
  for await (const event of client.watch(query)) {
    if (!isOpen) void output.progress("");
    isOpen = true;
    yield event;
  }
}

/** The event that a stream would have sent for a cursor which it was refused with. */
function refusedEvent(client: Client, problem: unknown): CloudEvent {
  const members = membersOf(problem);
  const names = ["reason", "resources", "cursor"] as const;
  const data = Object.fromEntries(names.map((name) => [name, members?.get(name)]));
  const id = `reset-${filledText(members?.get("requestId")) ?? "refused"}`;
  return { specversion: "1.0", id, source: sourceOf(client), type: "svc.feed.reset", data };
}

function sourceOf({ tenantId = "" }: Client): string {
  return `/v4/workspaces/${tenantId}`;
}

function resetOf(event: CloudEvent, cause: CatalogError | undefined): Reset | undefined {
  const members = membersOf(event.data);
  const cursor = filledText(members?.get("cursor"));
  if (cursor === undefined) return undefined;
  const reason = filledText(members?.get("reason")) ?? "unknown";
  const hint =
    `List the records again, then continue with --cursor ${cursor}; ` +
    "or use --on-reset reread with an Object Type";
  const problem = cause?.problem === undefined ? {} : { problem: cause.problem };
  const resource = `changes since this cursor (${reason})`;
  const error = catalogError("E202", { resource }, { hint, cause, ...problem });
  return { event, reason, cursor, error };
}

/** The records as they are, each as an event whose id is the same for the same version. */
async function* records(
  client: Client,
  { types = [], where, signal }: Followed,
): AsyncGenerator<FollowedItem, void, undefined> {
  const source = sourceOf(client);
  for (const type of types) {
    const pages = client.useResources(type).pages({ where, sort: "id", pageSize: 200, signal });
    for await (const { items } of pages) {
      for (const record of items) {
        const { id, version } = record;
        const event: CloudEvent = {
          specversion: "1.0",
          id: `read.${type}.${id}.${version}`,
          source,
          type: "svc.resource.read",
          subject: `${type}/${id}`,
          version,
          data: { id, objectType: type, version, record },
        };
        yield { event, cursor: undefined, isRead: true };
      }
    }
  }
}
