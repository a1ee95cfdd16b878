import { catalogError, CatalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import { partOf, shapeAt, type Form, type Shape } from "#contract/plain/shape.ts";
import { BodyTooLargeError, readBoundedBytes } from "#lib/network/bounded-body.ts";
import { isTooDeep, nestsTooDeep } from "#lib/json/scan.ts";
import { pointer } from "#lib/json/pointer.ts";
import { filledText, membersOf, parsedJson, sortedJson } from "#lib/json/value.ts";
import { shortText } from "#lib/text/short.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { errorFromResponse } from "../failures.ts";
import { pagesOf } from "../pages.ts";
import { clientRoute } from "../route.ts";
import type { Client } from "../surface.ts";
import type { ListOptions } from "../options.ts";
import { markerFault } from "./workspace-marker.ts";

/** Limits of one export (spec part 8). */
export interface ExportLimits {
  readonly pagesPerScan: number;
  /** Bytes of responses, in both scans together. */
  readonly bytes: number;
  readonly durationMs: number;
}

/** The limits of spec part 8, which an export has unless it is given others. */
export const exportLimits: ExportLimits = {
  pagesPerScan: 1000,
  bytes: 64 * 1024 * 1024,
  durationMs: 120_000,
};

const pageSize = 100;

/** Options and limits of {@link exportObjectTypes}. */
export interface ExportOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: 1,000 pages per scan, 64 MiB, two minutes. */
  readonly limits?: Partial<ExportLimits> | undefined;
  /** Called after each page with the scan, and the number of types that it has read so far. */
  readonly onPage?: ((scan: 1 | 2, types: number) => void) | undefined;
}

/**
 * Every Object Type of the client's workspace in ID order, from two complete scans that must agree
 * (spec 4.7 client rule 4, part 8). Throws E203 for pagination drift, duplicate IDs, records of
 * another workspace, malformed workspace markers, an incomplete scan and an exceeded limit; E303
 * for a client without a workspace.
 */
export async function exportObjectTypes(
  client: Client,
  options: ExportOptions = {},
): Promise<ObjectType[]> {
  const { tenantId } = client;
  if (tenantId === undefined) throw catalogError("E303", { field: "tenantId" });
  const limits = { ...exportLimits, ...options.limits };
  const limit = new TimeLimit(limits.durationMs, options.signal);
  const budget = { bytesLeft: limits.bytes };
  const scan = async (number: 1 | 2) =>
    await new Scan(client, tenantId, limits, budget).run(limit.signal, (types) =>
      options.onPage?.(number, types),
    );
  try {
    const first = await scan(1);
    compare(first.fingerprints, (await scan(2)).fingerprints);
    return first.types;
  } catch (error) {
    if (!limit.expired) throw error;
    throw failed(`it took more than ${limits.durationMs / 1000} seconds`);
  } finally {
    limit.close();
  }
}

interface Page {
  items: unknown[];
  /** The item as the deployment sent it. */
  readonly number: unknown;
  /** Undefined: the deployment says nothing of it. */
  readonly hasNextPage: boolean | undefined;
  readonly nextCursor: string | undefined;
  readonly total: number | undefined;
}

class Scan {
  readonly types: ObjectType[] = [];
  /** A text for each ID that differs when anything of the type differs. */
  readonly fingerprints = new Map<string, string>();
  #lastId = "";
  #pages = 0;
  #total: number | undefined;

  constructor(
    private readonly client: Client,
    private readonly tenantId: string,
    private readonly limits: ExportLimits,
    private readonly budget: { bytesLeft: number },
  ) {}

  async run(signal: AbortSignal, onPage: (types: number) => void): Promise<this> {
    const { readAnswer } = await import("../answer/reading.ts");
    const form = partOf(partOf(await pageForm(), "items"), 0);
    const list = async (options: ListOptions) => await this.#read(options);
    for await (const { items } of pagesOf(list, { pageSize, signal })) {
      for (const item of items) {
        const id = filledText(membersOf(item)?.get("id"));
        const name = id === undefined ? `record ${this.types.length + 1}` : shortText(id, 64);
        const fault = markerFault(item, this.tenantId);
        if (fault !== undefined) throw failed(`${name} ${fault}`);
        const reading = readAnswer(form, item);
        if (!reading.fits) {
          const place = pointer(...reading.path.map(String));
          throw failed(`${name} is not an Object Type: it is invalid at ${shortText(place, 200)}`);
        }
        // The reader has checked or replaced each member of an Object Type.
        this.#add(reading.value as ObjectType, item);
      }
      onPage(this.types.length);
    }
    if (this.#total !== undefined && this.#total !== this.types.length) {
      throw failed(`the scan is incomplete: ${this.types.length} of ${this.#total} types came`);
    }
    return this;
  }

  async #read({ page, cursor, limit, signal }: ListOptions): Promise<Page & { page: number }> {
    this.#pages += 1;
    if (this.#pages > this.limits.pagesPerScan) {
      throw failed(`a scan has more than ${this.limits.pagesPerScan} pages`);
    }
    const query = { page, cursor, limit, count: true };
    const response = await this.client.objectTypes.list.raw({ query, signal });
    if (!response.ok) throw await errorFromResponse(response);
    const bytes = await readBoundedBytes(response, this.budget.bytesLeft).catch(
      (error: unknown) => {
        if (error instanceof BodyTooLargeError) {
          throw failed(`both scans together are larger than ${this.limits.bytes} bytes`);
        }
        if (error instanceof CatalogError) throw error;
        signal?.throwIfAborted();
        throw failed("a page broke off");
      },
    );
    this.budget.bytesLeft -= bytes.byteLength;
    const body = await parsePage(new TextDecoder().decode(bytes));
    this.#check(body, page, cursor);
    return { ...body, page: this.#pages };
  }

  #check(body: Page, page: number | undefined, cursor: string | undefined): void {
    if (page !== undefined && body.number !== undefined && body.number !== page) {
      throw failed(`pagination drifted: another page came instead of page ${page}`);
    }
    if (this.#total !== undefined && body.total !== undefined && this.#total !== body.total) {
      throw failed("pagination drifted: the total changed during the scan");
    }
    this.#total ??= body.total;
    if (body.hasNextPage !== true) {
      if (body.nextCursor === undefined) return;
      throw failed("pagination drifted: the last page has a next cursor");
    }
    if (body.items.length === 0) throw failed("the scan is incomplete: a page is empty");
    if (body.nextCursor !== undefined && body.nextCursor === cursor) {
      throw failed("pagination drifted: a page repeats its cursor");
    }
  }

  #add(type: ObjectType, item: unknown): void {
    if (this.fingerprints.has(type.id)) throw failed(`${type.id} came twice`);
    if (this.#lastId !== "" && !isInOrder(this.#lastId, type.id)) {
      throw failed("pagination drifted: the records are not in ID order");
    }
    this.#lastId = type.id;
    this.fingerprints.set(type.id, sortedJson(item));
    this.types.push(type);
  }
}

function compare(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): void {
  const changed = [...first].filter(([id, text]) => second.get(id) !== text).map(([id]) => id);
  const added = [...second.keys()].filter((id) => !first.has(id));
  const ids = [...changed, ...added];
  if (ids.length === 0) return;
  throw failed(`the two scans differ in ${ids.length} types, ${String(ids[0])} first: pull again`);
}

/** Ascending as texts, or as numbers. */
function isInOrder(before: string, after: string): boolean {
  if (before < after) return true;
  return [before, after].every((id) => /^\d{1,15}$/.test(id)) && Number(before) < Number(after);
}

async function parsePage(text: string): Promise<Page> {
  const value = parsedJson(text);
  if (value === undefined) {
    throw failed(`a page ${isTooDeep(text) ? nestsTooDeep : "is not JSON"}`);
  }
  const { readAnswer } = await import("../answer/reading.ts");
  const reading = readAnswer(withAnyItems(await pageForm()), value);
  if (!reading.fits) throw failed("a page has no items");
  // The reader has checked or replaced each member of a page.
  const list = reading.value as ListBody<unknown>;
  const { items, page, total } = list;
  const nextCursor = list.nextCursor ?? undefined;
  const announced = nextCursor === undefined ? undefined : true;
  return { items, number: page, hasNextPage: list.hasNextPage ?? announced, nextCursor, total };
}

async function pageForm(): Promise<Form> {
  const route = clientRoute("objectTypes", "list");
  await route.loadShapes();
  const form = route.formOf("reply");
  if (form === undefined) throw new TypeError("The list of Object Types has no form");
  return form;
}

/** The form of a page whose items are read one by one. */
function withAnyItems({ shapes, place }: Form): Form {
  const page = shapeAt(shapes, place);
  if (page.is !== "object") throw new TypeError("A page is an object");
  const first = shapes.length;
  const items: Shape = { is: "list", items: first, isNamed: true };
  const members = { ...page.members, items: first + 1 };
  return { shapes: [...shapes, { is: "any" }, items, { ...page, members }], place: first + 2 };
}

function failed(reason: string): CatalogError<"E203"> {
  return catalogError("E203", { details: `the Object Types could not be read whole: ${reason}` });
}
