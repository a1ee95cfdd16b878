import type { JsonObject } from "#contract/values.ts";
import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { WorkspaceQuota } from "#contract/workspaces/quotas.ts";
import type { Work } from "../../work/work.ts";
import { freeCause } from "./alert-store.ts";
import type { Cause } from "./cause.ts";
import type { CompiledRule, Deadline } from "./compiled-rule.ts";
import type { RuleRecord } from "./store.ts";
import { settingsOf } from "./wire.ts";
import { given } from "#lib/given.ts";
import { dateIn, daysLater, startOfDate } from "#lib/time/zone-days.ts";

/** Reads what deadlines and quotas are checked with. */
export interface CheckReads {
  list(
    work: Work,
    workspaceId: string,
    slug: string,
    query: {
      readonly where: string;
      readonly limit: number;
      readonly cursor?: string;
    },
  ): Promise<ListBody<Resource>>;
  quota(work: Work, workspaceId: string): Promise<WorkspaceQuota>;
}

const recordsAtOnce = 200;
const defaultPercent = 80;
/** The quotas that are used up for good; the one of requests starts again each minute. */
const checkedQuotas = ["records", "documents", "bytes"] as const;

/** The causes of records whose deadline comes within the days of a rule, in pages. */
export async function* dueCauses(
  reads: CheckReads,
  work: Work,
  rule: RuleRecord,
  at: {
    readonly compiled: CompiledRule;
    readonly deadline: Deadline;
    readonly timeZone: string;
    readonly now: Date;
    /** The records to check; all of them by default. */
    readonly ids?: readonly string[] | undefined;
  },
): AsyncGenerator<readonly Cause[], void, undefined> {
  const { deadline, compiled } = at;
  const where = JSON.stringify(dueFilter(rule, at));
  let cursor: string | undefined;
  do {
    const query = { where, limit: recordsAtOnce, ...given({ cursor }) };
    const page = await reads.list(work, rule.workspace_id, deadline.slug, query);
    yield page.items.map((record) => causeOfRecord(record, deadline, compiled));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function dueFilter(
  rule: RuleRecord,
  {
    deadline,
    timeZone,
    now,
    ids,
  }: {
    readonly deadline: Deadline;
    readonly timeZone: string;
    readonly now: Date;
    readonly ids?: readonly string[] | undefined;
  },
): JsonObject {
  const { days = 0, where = {} } = settingsOf(rule);
  const today = dateIn(timeZone, now);
  const last = daysLater(today, days);
  const range = deadline.isDate
    ? { $gte: today, $lte: last }
    : {
        $gte: startOfDate(timeZone, today).toISOString(),
        $lt: startOfDate(timeZone, daysLater(last, 1)).toISOString(),
      };
  const { status } = deadline;
  const isOpen = status === undefined ? {} : { [status.name]: { $nin: status.closed } };
  const isOne = ids === undefined ? {} : { id: { $in: [...ids] } };
  return { $and: [isOne, { [deadline.property]: range }, isOpen, where].filter(hasMembers) };
}

function hasMembers(condition: object): boolean {
  return Object.keys(condition).length > 0;
}

function causeOfRecord(
  { id, data, version }: Resource,
  { slug, property }: Deadline,
  { names }: CompiledRule,
): Cause {
  const due = String(data[property]);
  return {
    key: `${id} ${property} ${due}`,
    subject: id,
    about: { kind: "record", type: slug, version, property, due },
    needs: { kind: "record", type: slug, names },
  };
}

/** The causes of quotas whose usage has reached the part; the others are free again. */
export async function quotaCauses(
  reads: CheckReads,
  work: Work,
  rule: RuleRecord,
  now: Date,
): Promise<Cause[]> {
  const { percent = defaultPercent } = settingsOf(rule);
  const { quota, usage } = await reads.quota(work, rule.workspace_id);
  const reached = checkedQuotas.flatMap((name): Cause[] => {
    const [limit, used] = [quota[name], usage[name]];
    if (limit === null || used * 100 < limit * percent) return [];
    return [{ key: name, subject: null, about: { quota: name, limit, used }, needs: {} }];
  });
  const isReached = (name: string): boolean => reached.some(({ key }) => key === name);
  await work.write(async (tx) => {
    for (const name of checkedQuotas) {
      if (!isReached(name)) await freeCause(tx, rule, name, now.toISOString());
    }
  });
  return reached;
}
