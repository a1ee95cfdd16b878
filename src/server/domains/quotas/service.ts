import { Refusal } from "#contract/problems.ts";
import type { WorkspaceQuota } from "#contract/workspaces/quotas.ts";
import type { QuotaPort, QuotaRequest } from "../../work/ports.ts";
import type { RateWindows } from "../../kit/turns/rate-windows.ts";
import { inBackground, keptPromise } from "../../kit/background.ts";
import type { Logger } from "../../kit/logger.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import { LeaderOnlyError } from "../../kit/storage-errors.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { noQuota, quotaById, quotas, usageOf, type Quota, type Usage } from "./store.ts";

/** A change of a quota counts after this time, also for other platforms of the database. */
const refreshMs = 5_000;
/** The time before another attempt after a failed refresh. */
const retryMs = 1_000;
/** Usage that other platforms and deletions have changed is counted again after this time. */
const countedMs = 30_000;
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
  "resources.uploadFile": (_body, bytes) => ({ bytes }),
  "documents.upload": (_body, bytes) => ({ documents: 1, bytes }),
};

function itemsIn(body: unknown): number {
  const items: unknown =
    typeof body === "object" && body !== null && "items" in body ? body.items : body;
  return Array.isArray(items) ? items.length : 1;
}

interface Counted {
  usage: { bytes: number; records: number; documents: number };
  countedAtMs: number;
}

/**
 * Quotas of workspaces: off until the operator sets one. Usage is counted in the database and then
 * kept up to date with what requests add; it is counted again before a refusal. Requests that run
 * at the same moment may pass a limit by as much as they add together.
 */
export class Quotas implements QuotaPort {
  readonly #work: Work;
  #known: ReadonlyMap<string, Quota> = new Map();
  #knownAtMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  readonly #usages = new RecentMap<string, Counted>(usagesAtMost);

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly windows: RateWindows;
      readonly now: () => Date;
      readonly logger: Logger;
      /** A reading thread: it hands over what adds to a workspace with a quota. */
      readonly isThread?: boolean;
    },
  ) {
    this.#work = parts.platformWork("quotas, and the usage of workspaces that have one");
  }

  /** Counts a request, and refuses 409 for what would pass the quota of its workspace. */
  async admit(
    workspaceId: string,
    { routeId, body, headers }: QuotaRequest,
  ): Promise<(() => void) | undefined> {
    const quota = await this.#of(workspaceId);
    const bytes = Math.max(1, Number(headers.get("content-length") ?? 0));
    const addition = additions[routeId]?.(body, bytes);
    const isStored = quota.records !== null || quota.documents !== null || quota.bytes !== null;
    if (addition !== undefined && isStored && this.parts.isThread === true) {
      throw new LeaderOnlyError("Only the main thread counts what a workspace stores");
    }
    this.#takeRequest(workspaceId, quota);
    if (addition === undefined || !isStored) return undefined;
    await this.#requireRoom(workspaceId, quota, addition);
    return () => this.#added(workspaceId, addition);
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

  /** Whether there is certainly no quota, so that a request need not wait. */
  get areOff(): boolean {
    return this.#known.size === 0 && this.parts.now().getTime() - this.#knownAtMs < refreshMs;
  }

  /** Counts a request; 429 beyond the quota of the workspace. */
  #takeRequest(workspaceId: string, { requests }: Quota): void {
    if (requests === null) return;
    const { count, leftMs } = this.parts.windows.count(`quota ${workspaceId}`, {
      cost: 1,
      nowMs: this.parts.now().getTime(),
      windowMs: minuteMs,
    });
    if (count <= requests) return;
    const seconds = Math.max(1, Math.ceil(leftMs / 1000));
    throw new Refusal("rate-limited", {
      detail: `The quota of this workspace is ${requests.toLocaleString("en")} requests in a minute: retry in ${seconds} s`,
      headers: { "retry-after": String(seconds) },
    });
  }

  /** Refuses 409 for what would pass the quota. */
  async #requireRoom(workspaceId: string, quota: Quota, addition: Addition): Promise<void> {
    if (exceeded(quota, await this.#usage(workspaceId, countedMs), addition) === undefined) return;
    const usage = await this.#usage(workspaceId, recountMs);
    const name = exceeded(quota, usage, addition);
    if (name === undefined) return;
    const [limit, used] = [quota[name] ?? 0, usage[name]];
    throw new Refusal("quota-exceeded", {
      detail: `The quota of this workspace is ${limit.toLocaleString("en")} ${name}, and it has ${used.toLocaleString("en")}: delete some, or ask the platform's operator for more`,
      members: { quota: name, limit, used },
    });
  }

  /** Notes what a request has added. */
  #added(workspaceId: string, addition: Addition): void {
    const counted = this.#usages.get(workspaceId);
    if (counted === undefined) return;
    counted.usage.records += addition.records ?? 0;
    counted.usage.documents += addition.documents ?? 0;
    counted.usage.bytes += addition.bytes ?? 0;
  }

  async read(work: Work, workspaceId: string): Promise<WorkspaceQuota> {
    const quota = await quotaById(work.read, workspaceId);
    const reader = work.scan.with({ share: workspaceId });
    return { quota: { ...quota }, usage: { ...(await usageOf(reader, workspaceId)) } };
  }

  async #usage(workspaceId: string, maximumAgeMs: number): Promise<Usage> {
    const now = this.parts.now().getTime();
    const kept = this.#usages.get(workspaceId);
    if (kept !== undefined && now - kept.countedAtMs < maximumAgeMs) return kept.usage;
    const reader = this.#work.scan.with({ share: workspaceId });
    const usage = { ...(await usageOf(reader, workspaceId)) };
    this.#usages.set(workspaceId, { usage, countedAtMs: now });
    return usage;
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

function exceeded(quota: Quota, usage: Usage, addition: Addition): keyof Usage | undefined {
  return stored.find((name) => {
    const added = addition[name] ?? 0;
    const limit = quota[name];
    return limit !== null && added > 0 && usage[name] + added > limit;
  });
}
