import { catalogError, CatalogError } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types.ts";
import { BodyTooLargeError, readBoundedBytes } from "#lib/bounded-body.ts";
import { isTooDeep, nestsTooDeep } from "#lib/json-depth.ts";
import { pointer } from "#lib/json-pointer.ts";
import { filledText, membersOf, parsedJson, sortedJson } from "#lib/json-value.ts";
import { shortText } from "#lib/short-text.ts";
import { TimeLimit } from "#lib/time-limit.ts";
import { errorFromResponse } from "./failures.ts";
import type { Client } from "./surface.ts";
import { markerFault } from "./workspace-marker.ts";

/** Limits of one export (spec part 8). */
export interface ExportLimits {
  readonly pagesPerScan: number;
  /** Bytes of answers, across both scans. */
  readonly bytes: number;
  readonly durationMs: number;
}

const exportLimits: ExportLimits = {
  pagesPerScan: 1000,
  bytes: 64 * 1024 * 1024,
  durationMs: 120_000,
};

const pageSize = 100;

/** How {@link exportObjectTypes} reads, and who is told how far it is. */
export interface ExportOptions {
  readonly signal?: AbortSignal | undefined;
  /** Other limits than 1,000 pages a scan, 64 MiB and two minutes. */
  readonly limits?: Partial<ExportLimits> | undefined;
  /** Called after each page: scan 1 or 2, and the types seen in it so far. */
  readonly onPage?: ((scan: 1 | 2, types: number) => void) | undefined;
}

/**
 * Every Object Type of the client's workspace, in ID order (spec 4.7 client rule 4, part 8): two
 * complete scans that must agree. Throws E203 on pagination drift, duplicate IDs, records of another
 * workspace, malformed workspace markers, an incomplete scan and when a limit is passed; E303 for a
 * client without a workspace.
 */
export async function exportObjectTypes(
  client: Client,
  options: ExportOptions = {},
): Promise<ObjectType[]> {
  if (client.tenantId === undefined) throw catalogError("E303", { field: "tenantId" });
  const limits = { ...exportLimits, ...options.limits };
  const limit = new TimeLimit(limits.durationMs, options.signal);
  const budget = { bytesLeft: limits.bytes };
  try {
    const scanOnce = async (scan: 1 | 2) =>
      await new Scan(client, client.tenantId ?? "", limits, budget, limit).run((types) =>
        options.onPage?.(scan, types),
      );
    const first = await scanOnce(1);
    const second = await scanOnce(2);
    compare(first.fingerprints, second.fingerprints);
    return first.types;
  } catch (error) {
    if (limit.expired) {
      throw failed(`it took more than ${limits.durationMs / 1000} seconds`);
    }
    throw error;
  } finally {
    limit.close();
  }
}

interface Page {
  readonly items: readonly unknown[];
  readonly page: unknown;
  readonly limit: unknown;
  readonly hasNextPage: unknown;
  readonly nextCursor: unknown;
  readonly total: unknown;
}

/** One pass over all pages. */
class Scan {
  readonly types: ObjectType[] = [];
  /** One text for each type, by ID, that differs whenever anything about the type does. */
  readonly fingerprints = new Map<string, string>();
  #lastId = "";
  #total: number | undefined;

  constructor(
    private readonly client: Client,
    private readonly tenantId: string,
    private readonly limits: ExportLimits,
    private readonly budget: { bytesLeft: number },
    private readonly limit: TimeLimit,
  ) {}

  async run(onPage: (types: number) => void): Promise<this> {
    const { objectType } = await import("#contract/object-types.ts");
    let cursor: string | undefined;
    for (let number = 1; ; number += 1) {
      if (number > this.limits.pagesPerScan) {
        throw failed(`a scan has more than ${this.limits.pagesPerScan} pages`);
      }
      const page = await this.#read(number, cursor);
      if (cursor === undefined) this.#checkNumber(page, number);
      this.#checkTotal(page);
      for (const item of page.items) {
        const name = this.#nameOf(item);
        const fault = markerFault(item, this.tenantId);
        if (fault !== undefined) throw failed(`${name} ${fault}`);
        const parsed = objectType.safeParse(item);
        if (!parsed.success) {
          const place = pointer(...(parsed.error.issues[0]?.path ?? []).map(String));
          throw failed(
            `${name} is not an Object Type: it does not fit at ${shortText(place, 200)}`,
          );
        }
        this.#add(parsed.data, item);
      }
      onPage(this.types.length);
      const next = this.#nextPlace(page, cursor);
      if (next === null) break;
      cursor = next.cursor;
    }
    if (this.#total !== undefined && this.#total !== this.types.length) {
      throw failed(`the scan is incomplete: ${this.types.length} of ${this.#total} types came`);
    }
    return this;
  }

  async #read(number: number, cursor: string | undefined): Promise<Page> {
    const place = cursor === undefined ? { page: number } : { cursor };
    const response = await this.client.objectTypes.list.raw({
      query: { ...place, limit: pageSize, count: true },
      signal: this.limit.signal,
    });
    if (!response.ok) throw await errorFromResponse(response);
    let bytes: Uint8Array;
    try {
      bytes = await readBoundedBytes(response, this.budget.bytesLeft);
    } catch (error) {
      if (error instanceof BodyTooLargeError) {
        throw failed(`both scans together are larger than ${this.limits.bytes} bytes`);
      }
      if (error instanceof CatalogError) throw error;
      this.limit.signal.throwIfAborted();
      throw failed("a page broke off");
    }
    this.budget.bytesLeft -= bytes.byteLength;
    return parsePage(new TextDecoder().decode(bytes));
  }

  #checkNumber({ page }: Page, number: number): void {
    if (page === undefined || page === number) return;
    throw failed(`pagination drifted: page ${number} was asked for, another one came`);
  }

  #checkTotal({ total }: Page): void {
    if (typeof total !== "number") return;
    if (this.#total !== undefined && this.#total !== total) {
      throw failed("pagination drifted: the total changed during the scan");
    }
    this.#total = total;
  }

  /** What a record is called by, before anything is known of it. */
  #nameOf(item: unknown): string {
    const id = filledText(membersOf(item)?.get("id"));
    return id === undefined ? `record ${this.types.length + 1}` : shortText(id, 64);
  }

  #add(type: ObjectType, item: unknown): void {
    if (this.fingerprints.has(type.id)) throw failed(`${type.id} came twice`);
    if (this.#lastId !== "" && type.id < this.#lastId) {
      throw failed("pagination drifted: the records are not in ID order");
    }
    this.#lastId = type.id;
    this.fingerprints.set(type.id, sortedJson(item));
    this.types.push(type);
  }

  #nextPlace(page: Page, cursor: string | undefined): { cursor: string | undefined } | null {
    const next = typeof page.nextCursor === "string" ? page.nextCursor : undefined;
    const more =
      typeof page.hasNextPage === "boolean"
        ? page.hasNextPage
        : next !== undefined || page.items.length >= fullPage(page);
    if (!more) {
      if (next !== undefined) throw failed("pagination drifted: a last page names a next one");
      return null;
    }
    if (page.items.length === 0) throw failed("the scan is incomplete: a page is empty");
    if (next !== undefined && next === cursor)
      throw failed("pagination drifted: it runs in a circle");
    return { cursor: next };
  }
}

/** Items of a page that is full: a deployment may give fewer than were asked for. */
function fullPage({ limit }: Page): number {
  return typeof limit === "number" && limit > 0 ? Math.min(limit, pageSize) : pageSize;
}

function compare(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): void {
  const changed = [...first].filter(([id, text]) => second.get(id) !== text).map(([id]) => id);
  const added = [...second.keys()].filter((id) => !first.has(id));
  const ids = [...changed, ...added];
  if (ids.length === 0) return;
  throw failed(`the two scans differ in ${ids.length} types, ${String(ids[0])} first: pull again`);
}

function parsePage(text: string): Page {
  const value = parsedJson(text);
  if (value === undefined) {
    throw failed(`a page ${isTooDeep(text) ? nestsTooDeep : "is not JSON"}`);
  }
  const page = membersOf(value) ?? new Map<string, unknown>();
  const items = page.get("items");
  if (!Array.isArray(items)) throw failed("a page has no items");
  return {
    items,
    page: page.get("page"),
    limit: page.get("limit"),
    hasNextPage: page.get("hasNextPage"),
    nextCursor: page.get("nextCursor"),
    total: page.get("total"),
  };
}

function failed(reason: string): CatalogError<"E203"> {
  return catalogError("E203", { details: `the Object Types could not be read whole: ${reason}` });
}
