import type { ListBody } from "#contract/lists.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import type { Resource } from "#contract/resources/record.ts";
import { pause } from "./pause.ts";

interface PagesOptions {
  readonly where?: string | undefined;
  readonly pageSize: number;
  readonly signal?: AbortSignal | undefined;
}

/** The parts of a client that read lists. */
export interface ListClient {
  readonly tenantId: string | undefined;
  useResources(objectType: string): {
    pages(options: PagesOptions): AsyncIterable<ListBody<Resource>>;
  };
  readonly objectTypes: {
    list(call: {
      readonly query?: { readonly limit: number };
      readonly signal?: AbortSignal;
    }): Promise<ListBody<{ readonly slug: string }>>;
  };
}

export interface PolledOptions {
  readonly types?: readonly string[] | undefined;
  readonly where?: object | undefined;
  readonly full?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly pollMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const pageSize = 200;
const mostTypes = 500;
export const defaultPollMs = 5_000;
/** A long read is followed by a longer pause, so that a platform mostly serves others. */
const pausePerRead = 9;
const cursorPattern = /^lists~(\d{1,15})$/;

/**
 * The changes of records by comparing their lists, for a platform without a stream. Changes between
 * two reads are one event; a cursor continues from the newest `updated_at` before it, so that
 * records may come again, and deletions in between are not known. Yields `svc.feed.bookmark` after
 * each read, and `svc.feed.reset` for a cursor that is none of lists.
 */
export class WatchedLists {
  /** The versions of the records by their subjects, after the first read. */
  #versions: Map<string, number> | undefined;
  /** The newest time of a change before the current read, in milliseconds. */
  #sinceMs: number | undefined;
  #newestMs = 0;

  constructor(
    private readonly client: ListClient,
    private readonly options: PolledOptions,
  ) {
    const since = cursorPattern.exec(options.cursor ?? "")?.[1];
    if (since !== undefined) this.#sinceMs = Number(since);
  }

  /** Ends with a reset, the signal or an error; after an error a further call goes on. */
  async *events(): AsyncGenerator<CloudEvent, void, undefined> {
    const { cursor, pollMs = defaultPollMs, signal } = this.options;
    const isForeign = cursor !== undefined && !cursorPattern.test(cursor);
    for (;;) {
      const beganMs = performance.now();
      yield* this.#read();
      const type = isForeign ? "svc.feed.reset" : "svc.feed.bookmark";
      yield this.#note(type, isForeign ? { reason: "unknown-cursor", ...this.#place() } : {});
      if (isForeign) return;
      await pause(Math.max(pollMs, pausePerRead * (performance.now() - beganMs)), signal);
    }
  }

  async *#read(): AsyncGenerator<CloudEvent, void, undefined> {
    const { signal } = this.options;
    const where = this.options.where && JSON.stringify(this.options.where);
    const before = this.#versions;
    const found = new Map<string, number>();
    for (const type of await this.#types()) {
      for await (const { items } of this.client
        .useResources(type)
        .pages({ where, pageSize, signal })) {
        for (const record of items) {
          const subject = `${type}/${record.id}`;
          found.set(subject, record.version);
          const op = this.#change(record, before?.get(subject));
          if (op !== undefined) yield this.#event(type, record, op);
          before?.set(subject, record.version);
        }
      }
    }
    for (const [subject, version] of before ?? []) {
      if (!found.has(subject)) yield this.#gone(subject, version);
    }
    this.#versions = found;
    this.#sinceMs = this.#newestMs;
  }

  async #types(): Promise<readonly string[]> {
    const { types, signal } = this.options;
    if (types !== undefined) return types;
    const call = { query: { limit: mostTypes }, ...(signal && { signal }) };
    const { items } = await this.client.objectTypes.list(call);
    return items.map(({ slug }) => slug);
  }

  /** Undefined for a record that has not changed since the last read, or since the cursor. */
  #change(record: Resource, known: number | undefined): "created" | "updated" | undefined {
    const at = Date.parse(record.updated_at ?? record.created_at ?? "");
    if (at > this.#newestMs) this.#newestMs = at;
    if (this.#versions !== undefined) {
      if (known === undefined) return "created";
      return record.version === known ? undefined : "updated";
    }
    const isBefore = this.#sinceMs === undefined || at < this.#sinceMs;
    return isBefore ? undefined : "updated";
  }

  #event(type: string, record: Resource, op: string): CloudEvent {
    const { id, version } = record;
    const more = this.options.full === true ? { record } : {};
    return {
      ...this.#note(`svc.resource.${op}`, { id, objectType: type, version, ...more }),
      id: `lists.${type}.${id}.${version}`,
      subject: `${type}/${id}`,
      version,
    };
  }

  #gone(subject: string, version: number): CloudEvent {
    const op = this.options.where === undefined ? "deleted" : "left";
    const [objectType = "", id = ""] = subject.split("/");
    return {
      ...this.#note(`svc.resource.${op}`, { id, objectType }),
      id: `lists.${objectType}.${id}.${version}.${op}`,
      subject,
    };
  }

  #note(type: string, data: object): CloudEvent {
    return {
      specversion: "1.0",
      id: `${type}.${crypto.randomUUID()}`,
      source: `/v4/workspaces/${this.client.tenantId ?? ""}`,
      type,
      time: new Date().toISOString(),
      svccursor: this.#cursor(),
      data,
    };
  }

  /** The place after the last whole read: what comes later comes again. */
  #cursor(): string {
    return `lists~${this.#sinceMs ?? 0}`;
  }

  #place(): { readonly resources: readonly string[]; readonly cursor: string } {
    const path = `/v4/data/resources/${this.client.tenantId ?? ""}`;
    const resources = (this.options.types ?? ["{objectType}"]).map((type) => `${path}/${type}`);
    return { resources, cursor: this.#cursor() };
  }
}
