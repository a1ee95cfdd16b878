import type { Client } from "#client/index.ts";
import { trackedState } from "#lib/job-outcome.ts";
import { ownMember } from "#lib/own-member.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { failureOf } from "../../../kit/answers/failure.ts";
import type { Followed } from "../../../kit/state/store.ts";
import type { Notices } from "../../notices.ts";
import type { BadgePlace } from "../../places.ts";
import type { Platform, PlatformState } from "../use-platform.ts";
import { nounOf, type ChangeEvent, type FeedState } from "./changes.ts";
import type { PlaceFailures } from "./place-failures.ts";

type JobEnd = "failed" | "partial" | "done";

/** The members of a change by which rules judge it; an older platform gives no kind. */
export interface ReportedChange {
  readonly type: string;
  /** The id of what has changed. */
  readonly id: string | undefined;
  /** The kind of a job, of a setting or of trouble, e.g. `geo-report`. */
  readonly kind: string | undefined;
  /** The end of a job; undefined for every other change. A partial job has ended with errors. */
  readonly jobEnd: JobEnd | undefined;
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
  readonly place: BadgePlace;
  /** The nouns of the changes that are judged, such as `document.job`. */
  readonly nouns?: readonly string[];
  /** The text for the log if the change is a failure, `true` if `read` finds the failures now. */
  readonly judge?: (change: ReportedChange) => string | true | undefined;
  /** Whether failures that exist may have ended with a change; they are then read again. */
  readonly mayEnd?: (change: ReportedChange) => boolean;
  /** Whether changes are judged for the workspace's admins only, who alone have the place. */
  readonly isForAdmins?: boolean;
  /** Reads the failures that exist: when a workspace opens, and after `judge`. */
  readonly read?: (
    client: Client,
    at: { readonly tenantId: string; readonly signal: AbortSignal },
  ) => Promise<readonly StandingFailure[]>;
  /** Whether `read` is for each user; otherwise only for the workspace's admins. */
  readonly isForAll?: boolean;
  /** Whether `read` is called each minute, for failures that no change reports. */
  readonly isTimed?: boolean;
}

const adminRole = "tenant-admin";
/** The first screens have the platform to themselves for this time. */
const enterMs = 500;
/** Changes of this time are read together. */
const gatherMs = 300;
/** The period of timed reads, and of all where no stream reports changes. */
const everyMs = 60_000;
/** The least pause after a read that changes have followed, and by the time that the read took. */
const pauseMs = 2_000;
const pauseFactor = 10;
const maximumStanding = 100;
/** The log has room for other notices too. */
const maximumLines = 10;
const forbidden = 403;
/** Requests of one read at a time. */
const atOnce = 5;

/** Reads something of each item, a few of them at a time. */
export async function readEach<Item, Found>(
  items: readonly Item[],
  read: (item: Item) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const some = await Promise.all(items.slice(from, from + atOnce).map(read));
    found.push(...some.flat());
  }
  return found;
}

export function reportedChange({ type, data }: Pick<ChangeEvent, "type" | "data">): ReportedChange {
  const members = isJsonObject(data) ? data : {};
  const textOf = (name: string) => {
    const value = ownMember(members, name);
    return typeof value === "string" ? value : undefined;
  };
  const after = ownMember(members, "after");
  const state = isJsonObject(after) ? ownMember(after, "state") : undefined;
  const changed = ownMember(members, "changed");
  return {
    type,
    id: textOf("id"),
    kind: textOf("kind"),
    objectType: textOf("objectType"),
    changed: Array.isArray(changed) ? changed : [],
    jobEnd: type === "svc.document.job.completed" ? jobEndOf(state) : undefined,
  };
}

function jobEndOf(state: unknown): JobEnd | undefined {
  if (state === undefined) return undefined;
  const end = trackedState(state);
  if (end === "failed") return "failed";
  return end === "completed_with_errors" ? "partial" : "done";
}

/** Whether a job of this kind has ended without all of its result. */
export function hasTrouble({ kind, jobEnd }: ReportedChange, ofKind: string): boolean {
  return kind === ofKind && (jobEnd === "failed" || jobEnd === "partial");
}

/** The text for the log about a job of this kind that has ended without all of its result. */
export function jobTrouble(
  change: ReportedChange,
  ofKind: string,
  job: string,
): string | undefined {
  if (!hasTrouble(change, ofKind)) return undefined;
  return change.jobEnd === "failed" ? `${job} has failed` : `${job} has ended with errors`;
}

/** Whether a job of this kind has ended with all of its result, or was cancelled. */
export function isDone({ kind, jobEnd }: ReportedChange, ofKind: string): boolean {
  return kind === ofKind && jobEnd === "done";
}

/** The parts of the platform that the watch reads. */
interface WatchedPlatform {
  readonly state: Followed<
    Pick<PlatformState, "client" | "tenantId"> & {
      readonly session: Pick<PlatformState["session"], "baseUrl" | "user">;
    }
  >;
  readonly changes: {
    readonly state: Followed<FeedState>;
    readonly watch: Platform["changes"]["watch"];
  };
}

interface WatchParts {
  readonly platform: WatchedPlatform;
  readonly failures: PlaceFailures;
  readonly notices: Pick<Notices, "note">;
  readonly role: Followed<string | undefined>;
  readonly rules: readonly FailureRule[];
}

/** Finds the failures of the open workspace by rules, for the badges of their places. */
export class FailureWatch {
  readonly #parts: WatchParts;
  /** The rules by the nouns of their changes, most of which have none. */
  readonly #rulesOf: ReadonlyMap<string, readonly FailureRule[]>;
  /** The reads that are due, by rule. */
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The reads under way; true for one that changes have followed. */
  readonly #reading = new Map<string, boolean>();
  /** The rules whose last read the platform did not answer. */
  readonly #unanswered = new Set<string>();
  /** The rules whose routes the platform does not have, or refuses to the role. */
  readonly #refused = new Set<string>();
  #refusedTo: string | undefined;
  #period: ReturnType<typeof setInterval> | undefined;
  #aborter = new AbortController();
  #entered: string | undefined;
  /** The role for which the failures were read since the stream is open. */
  #readAs: string | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    const named = parts.rules.flatMap((rule) => (rule.nouns ?? []).map((noun) => ({ noun, rule })));
    const byNoun = Map.groupBy(named, ({ noun }) => noun);
    this.#rulesOf = new Map(
      Array.from(byNoun, ([noun, pairs]) => [noun, pairs.map(({ rule }) => rule)]),
    );
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

  /** Reads when the stream has opened or was decided against, and when the role has changed. */
  readonly #look = (): void => {
    const { platform, failures, role } = this.#parts;
    const { client, tenantId, session } = platform.state.get();
    const key =
      client && tenantId && JSON.stringify([session.baseUrl, session.user ?? null, tenantId]);
    if (key !== this.#entered) {
      this.#leave();
      if (this.#entered !== undefined) failures.clear();
      this.#entered = key;
      // The stream and the role are still those of the former workspace.
      return;
    }
    const feed = platform.changes.state.get();
    if (feed !== "following" && feed !== "polling") this.#readAs = undefined;
    else if (key !== undefined && role.get() !== this.#readAs) this.#readAll();
  };

  /** Reads all that the role allows, and forgets what it does not. */
  #readAll(): void {
    const { failures, rules, role } = this.#parts;
    const readAs = role.get();
    this.#readAs = readAs;
    if (readAs === undefined) return;
    if (readAs !== this.#refusedTo) this.#refused.clear();
    this.#refusedTo = readAs;
    this.#cancel();
    for (const rule of rules) {
      if (this.#mayRead(rule)) this.#readLater(rule, enterMs);
      else failures.stand(rule.name, rule.place, new Set());
    }
    this.#period ??= setInterval(this.#readTimed, everyMs).unref();
  }

  readonly #readTimed = (): void => {
    const isPolled = this.#parts.platform.changes.state.get() === "polling";
    for (const rule of this.#parts.rules) {
      const isDue = isPolled || rule.isTimed === true || this.#unanswered.has(rule.name);
      if (isDue) this.#readLater(rule, gatherMs);
    }
  };

  #cancel(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #leave(): void {
    this.#aborter.abort();
    this.#aborter = new AbortController();
    this.#cancel();
    clearInterval(this.#period);
    for (const known of [this.#reading, this.#unanswered, this.#refused]) known.clear();
    this.#period = undefined;
    this.#readAs = undefined;
  }

  #take(event: ChangeEvent): void {
    const { failures, notices } = this.#parts;
    // Changes were removed before they were read.
    if (event.type === "svc.feed.reset") return this.#readAll();
    const rules = this.#rulesOf.get(nounOf(event));
    if (rules === undefined) return;
    const change = reportedChange(event);
    if (change.jobEnd === "done" && change.id !== undefined) failures.recover(change.id);
    for (const rule of rules) {
      const isJudged = rule.isForAdmins !== true || this.#isAdmin();
      const found = isJudged ? rule.judge?.(change) : undefined;
      const isToRead = found === undefined && rule.mayEnd?.(change) === true;
      if (found === true || (isToRead && failures.isStanding(rule.name))) {
        this.#readLater(rule, gatherMs);
      } else if (found !== undefined) {
        failures.add(rule.place, change.id ?? event.id);
        notices.note("failed", found);
      }
    }
  }

  #isAdmin(): boolean {
    return this.#parts.role.get() === adminRole;
  }

  #mayRead(rule: FailureRule): boolean {
    const isAllowed = rule.isForAll === true ? this.#readAs !== undefined : this.#isAdmin();
    return rule.read !== undefined && isAllowed && !this.#refused.has(rule.name);
  }

  /** A rule is read once at a time: changes during a read are read afterwards. */
  #readLater(rule: FailureRule, inMs: number): void {
    const { name } = rule;
    if (!this.#mayRead(rule) || this.#timers.has(name)) return;
    if (this.#reading.has(name)) {
      this.#reading.set(name, true);
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      // The role may have changed meanwhile.
      if (this.#mayRead(rule)) void this.#read(rule);
    }, inMs);
    this.#timers.set(name, timer.unref());
  }

  async #read(rule: FailureRule): Promise<void> {
    const { signal } = this.#aborter;
    const { name } = rule;
    const beganAtMs = performance.now();
    this.#reading.set(name, false);
    this.#unanswered.delete(name);
    const found = await this.#found(rule, signal);
    if (signal.aborted) return;
    const isChanged = this.#reading.get(name) === true;
    this.#reading.delete(name);
    if (found !== undefined && this.#mayRead(rule)) this.#stand(rule, found);
    const tookMs = performance.now() - beganAtMs;
    const inMs = Math.min(everyMs, Math.max(pauseMs, pauseFactor * tookMs));
    if (isChanged) this.#readLater(rule, inMs);
  }

  /** The failures of a rule; undefined where the platform does not have them or did not answer. */
  async #found(
    { name, read }: FailureRule,
    signal: AbortSignal,
  ): Promise<readonly StandingFailure[] | undefined> {
    const { client, tenantId } = this.#parts.platform.state.get();
    if (client === undefined || tenantId === undefined) return undefined;
    try {
      return await read?.(client, { tenantId, signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      const { isMissingRoute = false, status } = failureOf(error);
      (isMissingRoute || status === forbidden ? this.#refused : this.#unanswered).add(name);
      return undefined;
    }
  }

  #stand({ name, place }: FailureRule, found: readonly StandingFailure[]): void {
    const { failures, notices } = this.#parts;
    const kept = new Map(found.slice(0, maximumStanding).map(({ id, words }) => [id, words]));
    const added = failures.stand(name, place, new Set(kept.keys()));
    for (const id of added.slice(0, maximumLines)) notices.note("failed", kept.get(id) ?? "");
    const more = added.length - maximumLines;
    if (more > 0) notices.note("failed", `${name}: ${more} more failures`);
  }
}
