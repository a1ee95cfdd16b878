import type { Client } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import { isJsonObject } from "#lib/json/value.ts";
import type { Followed } from "../../../kit/state/store.ts";
import type { Notices } from "../../notices.ts";
import type { Place } from "../../places.ts";
import type { Platform } from "../use-platform.ts";
import type { ChangeEvent } from "./changes.ts";
import type { PlaceFailures } from "./place-failures.ts";

/** The members of a change by which rules judge it; an older platform gives no kind. */
export interface ReportedChange {
  readonly type: string;
  /** The kind of a job or of trouble, e.g. `geo-report`. */
  readonly kind: string | undefined;
  /** True for a job that has ended without its result. */
  readonly isFailedJob: boolean;
  readonly objectType: string | undefined;
  readonly changed: readonly unknown[];
}

/** A failure that exists, with the text for the log. */
export interface StandingFailure {
  readonly id: string;
  readonly words: string;
}

/** How the failures of a noun are found. */
export interface FailureRule {
  /** The name is unique among the rules. */
  readonly name: string;
  readonly place: Place;
  /** The text for the log if the change is a failure, `true` if `read` finds the failures now. */
  readonly judge?: (change: ReportedChange) => string | true | undefined;
  /** Reads the failures that exist: when a workspace opens, and after `judge`. */
  readonly read?: (
    client: Client,
    at: { readonly tenantId: string; readonly signal: AbortSignal },
  ) => Promise<readonly StandingFailure[]>;
  /** Whether `read` is for each user; otherwise only for the workspace's admins. */
  readonly isForAll?: boolean;
  /** The period of `read`, for failures that no change reports. */
  readonly everyMs?: number;
}

const adminRole = "tenant-admin";
/** The first screens have the platform to themselves for this time. */
const enterMs = 500;
/** Changes of this time are read together. */
const gatherMs = 300;
const maximumStanding = 100;

export function reportedChange({ type, data }: Pick<ChangeEvent, "type" | "data">): ReportedChange {
  const members = isJsonObject(data) ? data : {};
  const textOf = (name: string) => {
    const value = ownMember(members, name);
    return typeof value === "string" ? value : undefined;
  };
  const after = ownMember(members, "after");
  const changed = ownMember(members, "changed");
  return {
    type,
    kind: textOf("kind"),
    objectType: textOf("objectType"),
    changed: Array.isArray(changed) ? changed : [],
    isFailedJob:
      type === "svc.document.job.completed" &&
      isJsonObject(after) &&
      ownMember(after, "state") === "failed",
  };
}

interface WatchParts {
  readonly platform: Platform;
  readonly failures: PlaceFailures;
  readonly notices: Pick<Notices, "note">;
  readonly role: Followed<string | undefined>;
  readonly rules: readonly FailureRule[];
}

/** Finds the failures of the open workspace by rules, for the badges of their places. */
export class FailureWatch {
  readonly #parts: WatchParts;
  /** The reads that are due, and those under way. */
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #periods: readonly ReturnType<typeof setInterval>[] = [];
  #aborter = new AbortController();
  #entered: string | undefined;
  #isRead = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Returns a function that ends it. */
  readonly start = (): (() => void) => {
    const { platform, role } = this.#parts;
    const ends = [
      platform.state.subscribe(this.#look),
      platform.changes.state.subscribe(this.#look),
      role.subscribe(this.#look),
      platform.changes.watch((event) => this.#take(event)),
    ];
    this.#look();
    return () => {
      this.#leave();
      for (const end of ends) end();
    };
  };

  /** Reads once the workspace is open, the stream is decided and the role is known. */
  readonly #look = (): void => {
    const { platform, failures, role } = this.#parts;
    const { client, tenantId, session } = platform.state.get();
    const key =
      client && tenantId && JSON.stringify([session.baseUrl, session.user ?? null, tenantId]);
    if (key !== this.#entered) {
      this.#leave();
      if (this.#entered !== undefined) failures.clear();
      this.#entered = key;
    }
    const feed = platform.changes.state.get();
    const isOpen = feed === "following" || feed === "polling";
    if (this.#isRead || key === undefined || !isOpen || role.get() === undefined) return;
    this.#isRead = true;
    for (const rule of this.#parts.rules) this.#readLater(rule, enterMs);
    this.#periods = this.#parts.rules.flatMap((rule) =>
      rule.everyMs === undefined
        ? []
        : [setInterval(() => this.#readLater(rule, gatherMs), rule.everyMs).unref()],
    );
  };

  #leave(): void {
    this.#aborter.abort();
    this.#aborter = new AbortController();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const period of this.#periods) clearInterval(period);
    this.#timers.clear();
    this.#periods = [];
    this.#isRead = false;
  }

  #take(event: ChangeEvent): void {
    const { rules, failures, notices } = this.#parts;
    const change = reportedChange(event);
    for (const rule of rules) {
      const found = rule.judge?.(change);
      if (found === true) this.#readLater(rule, gatherMs);
      else if (found !== undefined) {
        failures.add(rule.place);
        notices.note("failed", found);
      }
    }
  }

  #readLater(rule: FailureRule, inMs: number): void {
    const { role } = this.#parts;
    const mayRead = rule.isForAll === true || role.get() === adminRole;
    if (rule.read === undefined || !mayRead || this.#timers.has(rule.name)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(rule.name);
      void this.#read(rule);
    }, inMs);
    this.#timers.set(rule.name, timer.unref());
  }

  /** A failed read changes nothing: other deployments lack some routes. */
  async #read({ name, place, read }: FailureRule): Promise<void> {
    const { platform, failures, notices } = this.#parts;
    const { client, tenantId } = platform.state.get();
    const { signal } = this.#aborter;
    if (client === undefined || tenantId === undefined || read === undefined) return;
    const found = await read(client, { tenantId, signal }).catch(() => undefined);
    if (found === undefined || signal.aborted) return;
    const kept = new Map(found.slice(0, maximumStanding).map(({ id, words }) => [id, words]));
    for (const id of failures.stand(name, place, new Set(kept.keys()))) {
      notices.note("failed", kept.get(id) ?? "");
    }
  }
}
