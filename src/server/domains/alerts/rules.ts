import type {
  AlertRule,
  ArchivedRule,
  RuleChanges,
  RuleCreation,
  RuleReceipt,
  RuleSettings,
} from "#contract/events/alerts.ts";
import type { AlertKind } from "#contract/events/alert-values.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import type { Reader } from "../../database/database.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import { roleTooLow } from "../../work/refusals.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { Feed } from "../feed/service.ts";
import { readableFields, type ObjectTypeService } from "../object-types/service.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import { compiledRule } from "./compiled-rule.ts";
import {
  checkSoon,
  countRules,
  deleteRule,
  deleteState,
  insertRule,
  newestNumber,
  putState,
  ruleById,
  rulesOf,
  updateRule,
  type RuleRecord,
} from "./store.ts";
import { isHiddenRule } from "./visible-rules.ts";
import { ruleOf, settingsOf } from "./wire.ts";

const maximumRules = 500;
const maximumOwnRules = 50;

/** The settings that each kind has; the others are refused. */
const settingsOfKind: Readonly<Record<AlertKind, readonly (keyof RuleSettings)[]>> = {
  event: ["kinds", "types", "operations", "where"],
  deadline: ["types", "where", "property", "days"],
  job: [],
  endpoint: [],
  quota: ["percent"],
  feed: [],
};

interface Asking {
  readonly oid: string;
  readonly scope: WorkspaceScope;
}

/** Rules as data. Every member makes those for themselves, tenant-builders those for others. */
export class AlertRules {
  constructor(
    private readonly parts: {
      readonly feed: Pick<Feed, "position">;
      readonly objectTypes: Pick<ObjectTypeService, "find">;
      readonly hasAccess: (workspaceId: string, oid: string) => Promise<boolean>;
      readonly hasRole: (reader: Reader, workspaceId: string, name: string) => Promise<boolean>;
      readonly cursors: ListCursors;
      readonly now: () => Date;
    },
  ) {}

  async list(
    work: Work,
    asking: Asking,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<AlertRule>> {
    const { read } = work;
    const toUser = isBuilder(asking) ? undefined : asking.oid;
    const without = toUser === undefined ? await this.#hidden(work, asking) : [];
    const wish = { workspaceId: asking.scope.id, toUser, without };
    const pages = new ListPages(this.parts.cursors, [
      "alert rules",
      wish.workspaceId,
      toUser ?? "",
    ]);
    const start = pages.start(query);
    const page = { after: madeAt(start.after), limit: start.rows, offset: start.offset };
    return pages.body(start, {
      rows: await rulesOf(read, { ...wish, ...page }),
      itemOf: ruleOf,
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countRules(read, wish) : undefined,
    });
  }

  /** True for a rule whose alerts are for a role, which webhook endpoints may have. */
  async isOfRole(reader: Reader, workspaceId: string, id: string): Promise<boolean> {
    const rule = await ruleById(reader, workspaceId, id);
    return rule !== undefined && rule.to_role !== null;
  }

  async get(work: Work, asking: Asking, id: string): Promise<AlertRule> {
    return ruleOf(await this.#require(work, asking, id));
  }

  /** The rule; 404 for one that does not exist for the caller. */
  async #require(work: Work, asking: Asking, id: string): Promise<RuleRecord> {
    const row = await requireRule(work.read, asking, id);
    if (await this.#isHidden(work, asking, row)) throw noSuchRule();
    return row;
  }

  /** The ids of rules that do not exist for a builder. */
  async #hidden(work: Work, asking: Asking): Promise<string[]> {
    const { id: workspaceId } = asking.scope;
    const hidden: string[] = [];
    const all = { workspaceId, limit: maximumRules, offset: 0 };
    for (const row of await rulesOf(work.read, all)) {
      if (await this.#isHidden(work, asking, row)) hidden.push(row.id);
    }
    return hidden;
  }

  #isHidden(work: Work, { oid }: Asking, row: RuleRecord): Promise<boolean> {
    return isHiddenRule({ work, oid, objectTypes: this.parts.objectTypes }, row);
  }

  async create(work: Work, asking: Asking, request: RuleCreation): Promise<AlertRule> {
    const { name, kind, role, userId, ...settings } = request;
    const to = recipient(asking, { role, userId });
    await this.#check(work, asking, { kind, settings, to });
    const made = { id: Bun.randomUUIDv7(), name, kind, settings: JSON.stringify(settings), ...to };
    return this.#insert(work, asking, { ...made, ...stateOf(true) }, async (tx, row) => {
      tx.note({ target: { ruleId: row.id }, after: factsOf(row) });
      const answer = ruleOf(row);
      tx.remember(answer, { status: 201 });
      return answer;
    });
  }

  /**
   * Makes a rule of an archive, which is disabled until an admin enables it. False where its id is
   * taken; refuses what {@link create} refuses.
   */
  async storeArchived(work: Work, asking: Asking, rule: ArchivedRule): Promise<boolean> {
    const { id, name, kind, role, userId, ...settings } = rule;
    if ((await ruleById(work.read, asking.scope.id, id)) !== undefined) return false;
    const to = recipient(asking, { role, userId });
    await this.#check(work, asking, { kind, settings, to });
    const made = { id, name, kind, settings: JSON.stringify(settings), ...to };
    const state = { state: "disabled", disabled_reason: "imported" };
    return this.#insert(work, asking, { ...made, ...state }, async () => true);
  }

  async #insert<Result>(
    work: Work,
    { oid, scope: { id: workspaceId } }: Asking,
    made: Omit<RuleRecord, "workspace_id" | "since" | `${string}_at` | "created_by">,
    end: (tx: Transaction, row: RuleRecord) => Promise<Result>,
  ): Promise<Result> {
    // Read before the rule is stored: a later change is after this position.
    const position = await this.parts.feed.position(work, workspaceId);
    const since = await newestNumber(work.read, workspaceId);
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await requireRoom(tx, workspaceId, made.to_user);
      const at = this.parts.now().toISOString();
      const times = { created_by: oid, created_at: at, updated_at: at };
      const row: RuleRecord = { workspace_id: workspaceId, ...made, since, ...times };
      await insertRule(tx, row);
      await putState(tx, { workspace_id: workspaceId, position, seen: 0, next_check_at: at });
      reportRule(tx, row, "created");
      return end(tx, row);
    });
  }

  async update(work: Work, asking: Asking, id: string, request: RuleChanges): Promise<AlertRule> {
    const present = await this.#require(work, asking, id);
    const { name = present.name, enabled, role, userId, ...changed } = request;
    const settings = changedSettings(settingsOf(present), changed);
    const to =
      role === undefined && userId === undefined
        ? { to_role: present.to_role, to_user: present.to_user }
        : recipient(asking, { role: role ?? undefined, userId: userId ?? undefined });
    const { kind } = present;
    await this.#check(work, asking, { kind, settings, to });
    return work.write(async (tx) => {
      await lockWorkspace(tx, asking.scope.id);
      const before = await requireRule(tx, asking, id);
      const at = this.parts.now().toISOString();
      const changes = {
        name,
        settings: JSON.stringify(settings),
        ...to,
        ...(enabled === undefined ? {} : stateOf(enabled)),
        updated_at: at,
      };
      await updateRule(tx, before, changes);
      const row = { ...before, ...changes };
      await checkSoon(tx, row.workspace_id, at);
      reportRule(tx, row, "updated");
      tx.note({ target: { ruleId: id }, before: factsOf(before), after: factsOf(row) });
      return ruleOf(row);
    });
  }

  async remove(work: Work, asking: Asking, id: string): Promise<RuleReceipt> {
    const { id: workspaceId } = asking.scope;
    await this.#require(work, asking, id);
    await work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const row = await requireRule(tx, asking, id);
      await deleteRule(tx, row);
      if ((await countRules(tx, { workspaceId })) === 0) await deleteState(tx, workspaceId);
      reportRule(tx, row, "deleted");
      tx.note({ target: { ruleId: id }, before: factsOf(row) });
    });
    return { id, status: "deleted" };
  }

  /** Refuses 422 for settings of another kind, and for what the caller may not read. */
  async #check(
    work: Work,
    { scope }: Asking,
    rule: {
      readonly kind: AlertKind;
      readonly settings: RuleSettings;
      readonly to: Pick<RuleRecord, "to_role" | "to_user">;
    },
  ): Promise<void> {
    const { kind, settings, to } = rule;
    const faults = Object.keys(given(settings))
      .filter((name) => !settingsOfKind[kind].some((each) => each === name))
      .map((name) => faultAt("body", [name], `is not a setting of the kind ${kind}`));
    if (faults.length > 0) throw invalid(faults);
    await compiledRule(kind, settings, async (slug) => {
      const type = await this.parts.objectTypes.find(scope.id, slug);
      return type && readableFields(work, type);
    });
    const { to_role: role, to_user: oid } = to;
    if (oid !== null && !(await this.parts.hasAccess(scope.id, oid))) {
      throw invalid([faultAt("body", ["userId"], "is not a member of this workspace")]);
    }
    if (role !== null && !(await this.parts.hasRole(work.read, scope.id, role))) {
      throw invalid([faultAt("body", ["role"], "is not a role of this workspace")]);
    }
  }
}

function isBuilder({ scope }: Asking): boolean {
  return roleIncludes(scope.role, "tenant-builder");
}

/** The settings after a change: absent ones stay, null removes one. */
function changedSettings(
  before: RuleSettings,
  changed: Pick<RuleChanges, keyof RuleSettings>,
): RuleSettings {
  const after = <Value>(was: Value | undefined, is: Value | null | undefined) =>
    is === undefined ? was : (is ?? undefined);
  return given({
    kinds: after(before.kinds, changed.kinds),
    types: after(before.types, changed.types),
    operations: after(before.operations, changed.operations),
    where: after(before.where, changed.where),
    property: after(before.property, changed.property),
    days: after(before.days, changed.days),
    percent: after(before.percent, changed.percent),
  });
}

/** The recipient of a rule; 403 for another one than the caller below tenant-builder. */
function recipient(
  asking: Asking,
  { role, userId }: Pick<RuleCreation, "role" | "userId">,
): Pick<RuleRecord, "to_role" | "to_user"> {
  if (role !== undefined && userId !== undefined) {
    throw invalid([faultAt("body", ["userId"], "can't be given together with role")]);
  }
  const isOwn = role === undefined && (userId ?? asking.oid) === asking.oid;
  if (!isOwn && !isBuilder(asking)) throw roleTooLow("tenant-builder", asking.scope.role);
  return { to_role: role ?? null, to_user: role === undefined ? (userId ?? asking.oid) : null };
}

/** The rule; 404 for one that the caller may not see. */
async function requireRule(reader: Reader, asking: Asking, id: string): Promise<RuleRecord> {
  const row = await ruleById(reader, asking.scope.id, id);
  if (row === undefined || (row.to_user !== asking.oid && !isBuilder(asking))) {
    throw noSuchRule();
  }
  return row;
}

function noSuchRule(): Refusal {
  return new Refusal("not-found", { detail: "This workspace has no such alert rule" });
}

async function requireRoom(
  tx: Transaction,
  workspaceId: string,
  toUser: string | null,
): Promise<void> {
  const own = toUser === null ? 0 : await countRules(tx, { workspaceId, toUser });
  const isFull = (await countRules(tx, { workspaceId })) >= maximumRules;
  if (own < maximumOwnRules && !isFull) return;
  throw new Refusal("conflict", {
    detail: isFull
      ? `Cannot add another rule: a workspace has at most ${maximumRules}. Delete one first`
      : `Cannot add another rule: a member has at most ${maximumOwnRules}. Delete one first`,
  });
}

function stateOf(isEnabled: boolean): Pick<RuleRecord, "state" | "disabled_reason"> {
  return isEnabled
    ? { state: "active", disabled_reason: null }
    : { state: "disabled", disabled_reason: "request" };
}

function reportRule(tx: Transaction, rule: RuleRecord, op: "created" | "updated" | "deleted") {
  const participants = rule.to_user === null ? {} : { participants: [rule.to_user] };
  tx.event("setting", rule.id, rule.workspace_id, { op, type: "alert-rule", ...participants });
}

/** The facts of a rule for the audit log, without the values of its filter. */
function factsOf({ name, kind, to_role: role, to_user: userId, state }: RuleRecord): object {
  return { name, kind, role, userId, state };
}
