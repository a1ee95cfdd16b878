import { Refusal } from "#contract/problems.ts";
import type { AlertKind } from "#contract/events/alert-values.ts";
import type { Logger } from "../../kit/logger.ts";
import type { ScheduledTask } from "../../jobs/scheduler.ts";
import { everySubject } from "../../work/change-event.ts";
import type { Work, Transaction } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import {
  FeedState,
  type Feed,
  type FeedReset,
  type OpenTransaction,
  type PlacedEvent,
} from "../feed/service.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import { removeOldAlerts, raiseAlert } from "./alert-store.ts";
import { causeOf, type Cause } from "./cause.ts";
import { dueCauses, quotaCauses, type CheckReads } from "./checks.ts";
import { compiledRule, type CompiledRule } from "./compiled-rule.ts";
import {
  activeRules,
  checkSoon,
  advanceState,
  dueStates,
  forgetNumbers,
  planCheck,
  updateRule,
  type DueState,
  type RuleRecord,
} from "./store.ts";
import { heldBack, settingsOf, type About } from "./wire.ts";
import { readsOf } from "./reads.ts";

const statesAtOnce = 500;
const rowsAtOnce = 200;
/** All workspaces with rules are looked at after this time, also without a newer row. */
const wholeMs = 60_000;
/** All deadlines and quotas are looked at after this time, and soon after a change of a rule. */
const checkMs = 10 * 60_000;
const keptMs = 90 * 24 * 60 * 60 * 1000;
const removedAtOnce = 500;

interface ActiveRule {
  readonly row: RuleRecord;
  readonly kind: AlertKind;
  readonly compiled: CompiledRule;
  readonly operations: readonly string[] | undefined;
}

/** Raises the alerts of all workspaces: those of changes, deadlines and quotas. */
export class AlertWatcher implements ScheduledTask {
  readonly name = "alerts";
  readonly #work: Work;
  readonly #feedState: FeedState;
  #wholeAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly feed: Pick<Feed, "read">;
      readonly objectTypes: Pick<ObjectTypeService, "find">;
      readonly reads: CheckReads;
      /** True if the platform mails alerts. */
      readonly sendsMail: boolean;
      readonly logger: Logger;
      readonly now: () => Date;
    },
  ) {
    this.#work = parts.platformWork("alerts of all workspaces");
    this.#feedState = new FeedState(this.#work, parts.now);
  }

  async isDue(): Promise<boolean> {
    return (await this.#due(1)).length > 0;
  }

  async run(extend: () => Promise<boolean>): Promise<void> {
    const { logger, now } = this.parts;
    const states = await this.#due(statesAtOnce);
    const isWhole = this.#isWholeDue;
    if (isWhole) this.#wholeAtMs = now().getTime();
    const held = isWhole ? heldCauses(await this.#feedState.heldBack()) : [];
    for (const state of states) {
      if (!(await extend())) return;
      try {
        await this.#look(state, held);
      } catch (error) {
        // The state keeps its position: the next run reads the changes again.
        logger.error({ event: "alerts-not-raised", error: String(error) });
      }
    }
  }

  get #isWholeDue(): boolean {
    return this.parts.now().getTime() - this.#wholeAtMs >= wholeMs;
  }

  get #raised() {
    return { now: this.parts.now(), isMailed: this.parts.sendsMail };
  }

  #due(limit: number): Promise<DueState[]> {
    const now = this.parts.now().toISOString();
    return dueStates(this.#work.read, { now, isWhole: this.#isWholeDue, limit });
  }

  async #look(state: DueState, held: readonly Cause[]): Promise<void> {
    const work = this.#work.within(state.workspace_id);
    const rules = await this.#follow(work, state);
    const raisings = held.flatMap((cause) => raisingsOfFeed(rules, cause));
    if (raisings.length > 0) await work.write((tx) => raiseAll(tx, raisings, this.#raised));
    if (state.next_check_at === null || state.next_check_at > this.parts.now().toISOString())
      return;
    await this.#check(work, state, rules);
  }

  /** The rules with their types; one whose type or property is gone is disabled. */
  async #rules(work: Work, workspaceId: string): Promise<ActiveRule[]> {
    const rules: ActiveRule[] = [];
    for (const row of await activeRules(work.read, workspaceId)) {
      const { kind } = row;
      const settings = settingsOf(row);
      try {
        const compiled = await compiledRule(kind, settings, async (slug) => {
          return (await this.parts.objectTypes.find(workspaceId, slug))?.whole;
        });
        rules.push({ row, kind, compiled, operations: settings.operations });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const disabled = { state: "disabled", disabled_reason: "filter" };
        await work.write((tx) => updateRule(tx, row, disabled));
      }
    }
    return rules;
  }

  /**
   * Judges the changes after the position; alerts and the new position are one transaction. Returns
   * the rules.
   */
  async #follow(work: Work, state: DueState): Promise<readonly ActiveRule[]> {
    let { position, seen } = state;
    let rules = await this.#rules(work, state.workspace_id);
    for (;;) {
      const page = await this.parts.feed.read(work, state.workspace_id, position, rowsAtOnce);
      const raisings =
        page.reset === undefined ? raisingsOf(rules, page.events) : raisingsOfReset(rules, page);
      const isWhole = page.reset === undefined && page.isWhole;
      const newest = isWhole ? Math.max(seen, state.newest) : seen;
      if (page.next !== position || newest !== seen) {
        const from = { workspace_id: state.workspace_id, position };
        const to = { position: page.next, seen: newest };
        const isOurs = await work.write(async (tx) => {
          if (!(await advanceState(tx, from, to))) return false;
          await raiseAll(tx, raisings, this.#raised);
          if (page.reset !== undefined) await forgetNumbers(tx, state.workspace_id);
          return true;
        });
        if (!isOurs) return rules;
        if (page.reset === undefined) await this.#checkChanged(work, state, rules, page.events);
      }
      if (isWhole) return rules;
      if (page.reset !== undefined) rules = await this.#rules(work, state.workspace_id);
      ({ next: position } = page);
      seen = newest;
    }
  }

  /** Looks at the deadlines of changed records at once; the others come by the time. */
  async #checkChanged(
    work: Work,
    state: DueState,
    rules: readonly ActiveRule[],
    events: readonly PlacedEvent[],
  ): Promise<void> {
    for (const rule of rules) {
      const { deadline } = rule.compiled;
      if (deadline === undefined) continue;
      const changed = events.filter(({ kind, type, op }) => {
        return kind === "record" && type === deadline.slug && op !== "deleted";
      });
      const ids = [...new Set(changed.map(({ subject }) => subject))];
      // An import is one event of all records.
      if (ids.includes(everySubject)) {
        await work.write((tx) => checkSoon(tx, state.workspace_id, this.parts.now().toISOString()));
      } else if (ids.length > 0) {
        await this.#raise(work, this.#causes(work, state, rule, ids), rule);
      }
    }
  }

  async #raise(
    work: Work,
    pages: AsyncIterable<readonly Cause[]>,
    { row: rule }: ActiveRule,
  ): Promise<void> {
    for await (const causes of pages) {
      const raisings = causes.map((cause) => ({ rule, cause }));
      await work.write((tx) => raiseAll(tx, raisings, this.#raised));
    }
  }

  async #check(work: Work, state: DueState, rules: readonly ActiveRule[]): Promise<void> {
    const { now } = this.parts;
    const { workspace_id: workspaceId } = state;
    const checked = rules.filter(({ kind }) => kind === "deadline" || kind === "quota");
    for (const rule of checked) await this.#raise(work, this.#causes(work, state, rule), rule);
    const before = new Date(now().getTime() - keptMs).toISOString();
    const next = new Date(now().getTime() + checkMs).toISOString();
    await work.write(async (tx) => {
      await removeOldAlerts(tx, workspaceId, { before, limit: removedAtOnce });
      await planCheck(tx, workspaceId, { from: state.next_check_at, to: next });
    });
  }

  async *#causes(
    work: Work,
    { time_zone: timeZone }: DueState,
    { row, compiled }: ActiveRule,
    ids?: readonly string[],
  ): AsyncGenerator<readonly Cause[], void, undefined> {
    const { reads, now } = this.parts;
    const { deadline } = compiled;
    if (deadline === undefined) yield await quotaCauses(reads, work, row, now());
    else yield* dueCauses(reads, work, row, { compiled, deadline, timeZone, now: now(), ids });
  }
}

function raisingsOf(rules: readonly ActiveRule[], events: readonly PlacedEvent[]): Raising[] {
  return events.flatMap((event) =>
    rules.flatMap(({ row, kind, compiled, operations }): Raising[] => {
      // The position of a workspace may be older than its newest rule.
      if (numberOf(event) <= Number(row.since)) return [];
      const cause = causeOf(kind, { ...compiled, operations }, event);
      return cause === undefined ? [] : [{ rule: row, cause }];
    }),
  );
}

/** The number of the event's row in the feed, from `epoch.number.index`. */
function numberOf({ id }: PlacedEvent): number {
  return Number(id.split(".", 2)[1]);
}

function raisingsOfReset(rules: readonly ActiveRule[], { reset, next }: FeedReset): Raising[] {
  return raisingsOfFeed(rules, causeOfFeed(next, { reason: reset }));
}

/** The cause of a transaction that stays open with its changes: one alert for each. */
function heldCauses(open: OpenTransaction | undefined): Cause[] {
  if (open === undefined) return [];
  const about = { reason: heldBack, since: open.seenAt };
  return [causeOfFeed(`held back by ${open.id}`, about)];
}

function causeOfFeed(key: string, about: About): Cause {
  return { key, subject: null, about, needs: {} };
}

function raisingsOfFeed(rules: readonly ActiveRule[], cause: Cause): Raising[] {
  return rules.flatMap(({ row, kind }) => (kind === "feed" ? [{ rule: row, cause }] : []));
}

interface Raising {
  readonly rule: RuleRecord;
  readonly cause: Cause;
}

/** Stores an alert for each new cause, with its change in the feed; returns their number. */
async function raiseAll(
  tx: Transaction,
  raisings: readonly Raising[],
  { now, isMailed }: { readonly now: Date; readonly isMailed: boolean },
): Promise<number> {
  let raised = 0;
  for (const { rule, cause } of raisings) {
    const id = Bun.randomUUIDv7();
    const { workspace_id: workspaceId, to_role: toRole, to_user: toUser } = rule;
    const isNew = await raiseAlert(tx, {
      workspace_id: workspaceId,
      id,
      rule_id: rule.id,
      rule_name: rule.name,
      cause: cause.key,
      kind: rule.kind,
      to_role: toRole,
      to_user: toUser,
      reads: readsOf(cause.needs),
      subject: cause.subject,
      about: JSON.stringify(cause.about),
      acknowledged_at: null,
      acknowledged_by: null,
      created_at: now.toISOString(),
      mail: isMailed ? "waiting" : null,
    });
    if (!isNew) continue;
    raised += 1;
    tx.event("alert", id, workspaceId, {
      op: "raised",
      type: rule.kind,
      ...(toUser === null ? {} : { participants: [toUser] }),
    });
  }
  return raised;
}
