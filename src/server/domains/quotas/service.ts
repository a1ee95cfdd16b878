import { Refusal } from "#contract/problems.ts";
import type { WorkspaceQuota } from "#contract/workspaces/quotas.ts";
import type { QuotaPort, QuotaRequest } from "../../work/ports.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import type { RequestCounts } from "../../kit/turns/request-counts.ts";
import { inBackground, keptPromise } from "../../kit/background.ts";
import type { Logger } from "../../kit/logger.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import { LeaderOnlyError } from "../../kit/storage-errors.ts";
import type { Work } from "../../work/work.ts";
import type { RecordLookup } from "../records/service.ts";
import type { PlatformWork } from "../../work/works.ts";
import { noQuota, quotaById, quotas, usageOf, type Quota, type Usage } from "./store.ts";

/** A change of a quota counts after this time, also for other platforms of the database. */
const refreshMs = 5_000;
/** The time before another attempt after a failed refresh. */
const retryMs = 1_000;
/** Usage that other platforms and deletions have changed is counted again after this time. */
const countedMs = 30_000;
/** Next to other platforms, usage is counted again after additions of this part of the room. */
const addedPart = 20;
/** The time between two counts of a workspace at its limit, which may have deleted something. */
const recountMs = 1_000;
const quotasAtMost = 100_000;
const usagesAtMost = 10_000;
const minuteMs = 60_000;

/** Numbers of what a request would store in a workspace. */
interface Addition {
  readonly records?: number;
  readonly documents?: number;
  readonly bytes?: number;
}

/** The addition of each route that stores something, from its request. */
const additions: Readonly<Record<string, (body: unknown, bytes: number) => Addition>> = {
  "resources.create": () => ({ records: 1 }),
  "resources.batchCreate": (body) => ({ records: itemsIn(body) }),
  "resources.upsert": () => ({ records: 1 }),
  "resources.batch": (body) => ({ records: createdBy(body).length }),
  "resources.restore": () => ({ records: 1 }),
  "imports.rows": (body) => ({ records: createdBy(body).length }),
  "documents.restore": () => ({ documents: 1 }),
  "geoFeatures.create": () => ({ records: 1 }),
  "resources.uploadFile": (_body, bytes) => ({ bytes }),
  "documents.upload": (_body, bytes) => ({ documents: 1, bytes }),
  "webhookSources.receive": (_body, bytes) => ({ bytes }),
};

function field(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function itemsIn(body: unknown): number {
  const items: unknown =
    typeof body === "object" && body !== null && "items" in body ? body.items : body;
  return Array.isArray(items) ? items.length : 1;
}

/** The items of a batch that create records, or may do so. */
function createdBy(body: unknown): readonly unknown[] {
  const items = field(body, "items");
  const kinds: readonly unknown[] = ["create", "upsert"];
  return Array.isArray(items) ? items.filter((item) => kinds.includes(field(item, "op"))) : [];
}

/** Names of records that a request only changes if they exist. */
const changedBy: Readonly<Record<string, (params: unknown, body: unknown) => readonly unknown[]>> =
  {
    "resources.upsert": (params) => [params],
    "resources.batch": (_params, body) => createdBy(body),
    "imports.rows": (_params, body) => createdBy(body),
    "resources.restore": (params) => [params],
  };

type Sums = { -readonly [Name in keyof Usage]: Usage[Name] };

interface Counted {
  /** The usage at the last count, with what this platform has added since. */
  readonly usage: Sums;
  /** The part of it that this platform has added. */
  readonly added: Sums;
  countedAtMs: number;
}

/**
 * Quotas of workspaces: off until the operator sets one. Usage is counted in the database and then
 * kept up to date with what requests add; it is counted again before a refusal. Requests that run
 * at the same moment on several platforms may pass a limit by as much as they add together.
 */
export class Quotas implements QuotaPort {
  readonly #work: Work;
  #known: ReadonlyMap<string, Quota> = new Map();
  #knownAtMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  readonly #usages = new RecentMap<string, Counted>(usagesAtMost);
  readonly #counting = new Map<string, Promise<Counted>>();
  /** The additions of running requests, by workspace. */
  readonly #pending = new Map<string, Sums>();

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly counts: RequestCounts;
      readonly now: () => Date;
      readonly logger: Logger;
      /** Absent in a reading thread, which reserves nothing. */
      readonly records?: RecordLookup;
      /** A reading thread: it hands over what adds to a workspace with a quota. */
      readonly isThread?: boolean;
    },
  ) {
    this.#work = parts.platformWork("quotas, and the usage of workspaces that have one");
  }

  /** Counts a request, and refuses 409 for what would pass the quota of its workspace. */
  async admit(
    workspaceId: string,
    request: QuotaRequest,
  ): Promise<((isSuccess: boolean) => void) | undefined> {
    const { routeId, body, headers } = request;
    const quota = await this.#of(workspaceId);
    const bytes = Math.max(1, Number(headers.get("content-length") ?? 0));
    const addition = additions[routeId]?.(body, bytes);
    const isStored = quota.records !== null || quota.documents !== null || quota.bytes !== null;
    if (addition !== undefined && isStored && this.parts.isThread === true) {
      throw new LeaderOnlyError("Only the main thread counts what a workspace stores");
    }
    const counted = this.#takeRequest(workspaceId, quota);
    if (counted instanceof Promise) await counted;
    if (addition === undefined || !isStored) return undefined;
    const { records = 0 } = addition;
    if (records === 0 || quota.records === null || !Object.hasOwn(changedBy, routeId)) {
      return this.#reserve(workspaceId, quota, addition);
    }
    try {
      return await this.#reserve(workspaceId, quota, addition);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const existing = await this.#existing(workspaceId, request);
      return await this.#reserve(workspaceId, quota, { records: records - existing });
    }
  }

  /** How many of the records that a request writes exist; it adds none for them. */
  async #existing(workspaceId: string, { routeId, params, body }: QuotaRequest): Promise<number> {
    const slug = field(params, "objectType");
    const { records } = this.parts;
    if (records === undefined || typeof slug !== "string") return 0;
    let count = 0;
    for (const name of changedBy[routeId]?.(params, body) ?? []) {
      const [id, property, value] = ["id", "property", "value"].map((each) => field(name, each));
      if (typeof id === "string") {
        if ((await records.findRecord(this.#work, workspaceId, slug, id)) !== undefined) count += 1;
      } else if (typeof property === "string") {
        const where = { [property]: value };
        const found = await records.findRecords(this.#work, workspaceId, slug, where);
        count += Math.min(1, found.length);
      }
    }
    return count;
  }

  /** The quota of a workspace, without waiting unless none was read yet. */
  async #of(workspaceId: string): Promise<Quota> {
    const now = this.parts.now().getTime();
    if (this.#knownAtMs === Number.NEGATIVE_INFINITY) await this.#refreshed(now);
    else if (now - this.#knownAtMs >= refreshMs && now >= this.#retryAtMs) {
      this.#retryAtMs = now + retryMs;
      inBackground(this.parts.logger, "quotas-not-refreshed", () => this.#refreshed(now));
    }
    return this.#known.get(workspaceId) ?? noQuota;
  }

  /** True if there is certainly no quota, so that a request need not wait. */
  get areOff(): boolean {
    return this.#known.size === 0 && this.parts.now().getTime() - this.#knownAtMs < refreshMs;
  }

  /** Counts a request; 429 beyond the quota of the workspace. */
  #takeRequest(workspaceId: string, { requests }: Quota): Promisable<void> {
    if (requests === null) return;
    const request = {
      cost: 1,
      limit: requests,
      nowMs: this.parts.now().getTime(),
      windowMs: minuteMs,
    };
    const counted = this.parts.counts.count(`quota ${workspaceId}`, request);
    return chained(counted, ({ count, leftMs }) => {
      if (count <= requests) return;
      const seconds = Math.max(1, Math.ceil(leftMs / 1000));
      throw new Refusal("rate-limited", {
        detail: `The quota of this workspace is ${requests.toLocaleString("en")} requests in a minute: retry in ${seconds} s`,
        headers: { "retry-after": String(seconds) },
      });
    });
  }

  /** Counts what a request adds while it runs, or refuses 409 if that would pass the quota. */
  async #reserve(
    workspaceId: string,
    quota: Quota,
    addition: Addition,
  ): Promise<(isSuccess: boolean) => void> {
    let usage = await this.#usage(workspaceId, quota, countedMs);
    if (this.#exceeded(workspaceId, quota, usage, addition) !== undefined) {
      usage = await this.#usage(workspaceId, quota, recountMs);
    }
    const name = this.#exceeded(workspaceId, quota, usage, addition);
    // A wait after the check would let other requests pass it.
    if (name === undefined) return this.#reserved(workspaceId, addition);
    const [limit, used] = [quota[name] ?? 0, usage[name]];
    throw new Refusal("quota-exceeded", {
      detail: `The quota of this workspace is ${limit.toLocaleString("en")} ${name}, and it has ${used.toLocaleString("en")}: delete some, or ask the platform's operator for more`,
      members: { quota: name, limit, used },
    });
  }

  #exceeded(
    workspaceId: string,
    quota: Quota,
    usage: Usage,
    addition: Addition,
  ): keyof Usage | undefined {
    const pending = this.#pending.get(workspaceId) ?? nothingUsed;
    return stored.find((name) => {
      const added = addition[name] ?? 0;
      const limit = quota[name];
      return limit !== null && added > 0 && usage[name] + pending[name] + added > limit;
    });
  }

  /** Counts what a running request adds; the result notes its end. */
  #reserved(workspaceId: string, addition: Addition): (isSuccess: boolean) => void {
    const pending = this.#pending.get(workspaceId) ?? { ...nothingUsed };
    this.#pending.set(workspaceId, pending);
    add(pending, addition, 1);
    return (isSuccess) => {
      add(pending, addition, -1);
      if (stored.every((name) => pending[name] === 0)) this.#pending.delete(workspaceId);
      const counted = this.#usages.get(workspaceId);
      if (!isSuccess || counted === undefined) return;
      add(counted.usage, addition, 1);
      add(counted.added, addition, 1);
    };
  }

  async read(work: Work, workspaceId: string): Promise<WorkspaceQuota> {
    const quota = await quotaById(work.read, workspaceId);
    const reader = work.scan.with({ share: workspaceId });
    return { quota: { ...quota }, usage: { ...(await usageOf(reader, workspaceId)) } };
  }

  async #usage(workspaceId: string, quota: Quota, maximumAgeMs: number): Promise<Usage> {
    const now = this.parts.now().getTime();
    const kept = this.#usages.get(workspaceId);
    if (kept !== undefined && now - kept.countedAtMs < maximumAgeMs && this.#holds(kept, quota)) {
      return kept.usage;
    }
    let counting = this.#counting.get(workspaceId);
    if (counting === undefined) {
      counting = this.#count(workspaceId, now);
      this.#counting.set(workspaceId, keptPromise(counting));
    }
    return (await counting).usage;
  }

  /** True if other platforms cannot have added much more than this one since the count. */
  #holds({ usage, added }: Counted, quota: Quota): boolean {
    if (this.#work.read.dialect === "sqlite") return true;
    return stored.every((name) => {
      const limit = quota[name];
      return limit === null || added[name] * addedPart <= limit - usage[name] + added[name];
    });
  }

  async #count(workspaceId: string, now: number): Promise<Counted> {
    try {
      const reader = this.#work.scan.with({ share: workspaceId });
      const usage = { ...(await usageOf(reader, workspaceId)) };
      const counted = { usage, added: { ...nothingUsed }, countedAtMs: now };
      this.#usages.set(workspaceId, counted);
      return counted;
    } finally {
      this.#counting.delete(workspaceId);
    }
  }

  #refreshed(now: number): Promise<void> {
    this.#refreshing ??= keptPromise(this.#refresh(now));
    return this.#refreshing;
  }

  async #refresh(now: number): Promise<void> {
    try {
      this.#known = await quotas(this.#work.read, quotasAtMost);
      this.#knownAtMs = now;
    } finally {
      this.#refreshing = undefined;
    }
  }
}

const stored = ["records", "documents", "bytes"] as const;
const nothingUsed: Usage = { records: 0, documents: 0, bytes: 0 };

function add(sums: Sums, addition: Addition, times: 1 | -1): void {
  for (const name of stored) sums[name] += times * (addition[name] ?? 0);
}
