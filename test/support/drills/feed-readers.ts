import { createClient } from "#client/index.ts";
import { CatalogError } from "#contract/errors.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { drillType, memberOf, type DrillSession } from "./session.ts";

/** The marker of the record that is written last: each reader ends with it. */
export const endMarker = "the end";

const pageLimit = 200;
const longestHop = 400;
const brokenPauseMs = 25;

/** The records of a list, and the cursor of its first page. */
interface Listed {
  readonly cursor: string;
  readonly versions: ReadonlyMap<string, number>;
}

/** The facts of all records after the last write. */
export interface Truth {
  readonly listed: ReadonlyMap<string, number>;
  /** The last acknowledged version of each record, also of deleted ones. */
  readonly acknowledged: ReadonlyMap<string, number>;
}

/** The changes that one reader has received. Throws at a lost change or one out of order. */
export class Received {
  readonly #changes = new Map<string, string>();
  readonly #last = new Map<string, { readonly version: number; readonly isDeleted: boolean }>();
  readonly #first = new Map<string, number>();
  repeated = 0;

  /** `since` is the list after which the reader began; undefined from the first change on. */
  constructor(
    readonly name: string,
    readonly since?: ReadonlyMap<string, number>,
  ) {}

  get distinct(): number {
    return this.#changes.size;
  }

  take({ id, type, subject, version = 0 }: CloudEvent): void {
    const change = `${type} ${subject} ${version}`;
    const known = this.#changes.get(id);
    if (known !== undefined) {
      if (known !== change) this.#fail(`the id ${id} is that of ${known} and of ${change}`);
      this.repeated += 1;
      return;
    }
    this.#changes.set(id, change);
    const record = subject?.split("/")[1] ?? "";
    const last = this.#last.get(record);
    if (last === undefined) this.#first.set(record, version);
    else if (version !== last.version + 1 || last.isDeleted) {
      this.#fail(`${change} comes after version ${last.version}`);
    }
    this.#last.set(record, { version, isDeleted: type.endsWith(".deleted") });
  }

  /** Compares with the database: each version of each record was received. */
  requireAll({ listed, acknowledged }: Truth): void {
    for (const id of new Set([...listed.keys(), ...acknowledged.keys(), ...this.#last.keys()])) {
      const before = this.since?.get(id) ?? 0;
      const wanted = listed.get(id);
      const last = this.#last.get(id);
      const found = JSON.stringify({ last, before, wanted, acknowledged: acknowledged.get(id) });
      if (last === undefined) {
        // A record may have been deleted before the list.
        const isKnown = wanted === undefined ? this.since !== undefined : wanted === before;
        if (!isKnown) this.#fail(`no change of the record ${id} came: ${found}`);
        continue;
      }
      const isFromStart = (this.#first.get(id) ?? 0) <= before + 1;
      const isBeforeList = this.since !== undefined && before === 0 && last.isDeleted;
      if (!isFromStart && !isBeforeList) this.#fail(`the record ${id} has a gap: ${found}`);
      const isLast =
        wanted === undefined ? last.isDeleted : last.version === wanted && !last.isDeleted;
      if (!isLast) this.#fail(`the record ${id} ends otherwise: ${found}`);
      if (last.version < (acknowledged.get(id) ?? 0)) this.#fail(`${id} lacks a write: ${found}`);
    }
  }

  #fail(what: string): never {
    throw new Error(`${this.name}: ${what}`);
  }
}

/** Follows with the library's `watch`, which continues after each break. */
export async function watchAll(
  session: DrillSession,
  received: Received,
  from: { readonly cursor: string; readonly signal: AbortSignal },
): Promise<void> {
  const options = { types: [drillType.slug], ...from };
  for await (const event of clientOf(session).watch(options)) if (takes(received, event)) return;
}

/** Opens a stream for some events, then the next one at any platform with the last cursor. */
export async function hop(
  sessions: readonly DrillSession[],
  received: Received,
  from: { readonly cursor: string; readonly signal: AbortSignal },
): Promise<void> {
  const clients = sessions.map(clientOf);
  const { signal } = from;
  const tenantId = sessions[0]?.tenantId ?? "";
  let { cursor } = from;
  while (!signal.aborted) {
    const client = clients[Math.floor(Math.random() * clients.length)];
    let left = 1 + Math.floor(Math.random() * longestHop);
    const query = { tenant_id: tenantId, types: drillType.slug, cursor };
    try {
      for await (const event of client?.realtime.events({ query, signal }) ?? []) {
        if (takes(received, event)) return;
        cursor = event.svccursor ?? cursor;
        left -= 1;
        if (left === 0) break;
      }
    } catch (error) {
      if (!(error instanceof CatalogError) || !["E201", "E203"].includes(error.code)) throw error;
      if (error.status !== undefined && error.status < 500) throw error;
      await Bun.sleep(brokenPauseMs);
    }
  }
}

/** Takes a change; true for the last one. */
function takes(received: Received, event: CloudEvent): boolean {
  if (event.type === "svc.feed.bookmark") return false;
  if (event.type === "svc.feed.reset")
    throw new Error(`${received.name}: ${JSON.stringify(event)}`);
  received.take(event);
  return memberOf(memberOf(event.data, "after"), "marker") === endMarker;
}

/** The library as the caller of a session. */
export function clientOf(session: DrillSession) {
  const { url, authorization, tenantId } = session;
  const token = authorization.slice("Bearer ".length);
  return createClient({ baseUrl: url, token }).forTenant(tenantId);
}

/** All pages of the records, with the cursor of the first one. */
export async function listAll(session: DrillSession): Promise<Listed> {
  const versions = new Map<string, number>();
  let first: string | undefined;
  for (let next: string | undefined; ;) {
    const query = new URLSearchParams({ limit: String(pageLimit), ...(next && { cursor: next }) });
    const { json } = await session.expect(200, "GET", `?${query.toString()}`);
    const page = json as {
      readonly items: readonly { readonly id: string; readonly version: number }[];
      readonly nextCursor?: string | null;
      readonly feedCursor: string;
    };
    first ??= page.feedCursor;
    for (const { id, version } of page.items) versions.set(id, version);
    if (typeof page.nextCursor !== "string") return { cursor: first, versions };
    next = page.nextCursor;
  }
}
