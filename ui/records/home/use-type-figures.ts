import type { AggregateAnswer, Client, ObjectType } from "#client/index.ts";
import { dateIn, daysLater, startOfDate } from "#lib/time/zone-days.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { dueFilters, type DueFilters } from "../../kit/data-fields/due-filters.ts";
import { propertyMeaning } from "../../kit/data-fields/meaning.ts";
import { parseFilter } from "../../kit/filter/filter-language.ts";
import { isStatusName } from "../../kit/theme/theme.ts";
import { useAnswer, type LiveAnswer } from "../../shell/platform/use-answer.ts";
import { countOfRecords, metricsBody } from "../bars/bars.ts";

/** The time zone of the workspace, and the time of the figures. */
export interface Today {
  readonly timeZone: string;
  readonly nowMs: number;
}

/** Figures of one Object Type; a deployment that counts no lists leaves some out. */
export interface TypeFigures {
  readonly states: AggregateAnswer | null;
  readonly overdue: number | null;
  readonly soon: number | null;
  /** Records that were created in the last 7 days. */
  readonly recent: number | null;
}

const shownStates = 50;
const earlierWeeks = 7;
/** The feed reports each change earlier, where there is one. */
const refreshMs = 30_000;
const weeksRefreshMs = 600_000;

/** The property with the state of a type's records. */
export function statusField(type: ObjectType): string | undefined {
  const meant = propertyMeaning(type, "status")?.name;
  const fields = Object.entries(dataFields(type));
  return meant ?? fields.find(([name, { type: of }]) => isStatusName(name) && of === "enum")?.[0];
}

interface Asked {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly tenantId: string | undefined;
  readonly type: ObjectType;
}

type Where = Extract<ReturnType<typeof parseFilter>, { readonly where: unknown }>["where"];

async function count({ client, signal, tenantId, type }: Asked, where: Where) {
  const records = client.useResources(type.slug, { tenantId });
  return (await records.list({ where, limit: 1, count: true, signal })).total ?? null;
}

/** The number of records that a typed filter finds; null where the filter does not apply. */
function countTyped(asked: Asked, text: string | undefined): Promise<number | null> {
  const parsed = text === undefined ? undefined : parseFilter(text, dataFields(asked.type));
  return parsed !== undefined && "where" in parsed
    ? count(asked, parsed.where)
    : Promise.resolve(null);
}

/** The numbers of overdue records and of those that are due soon. */
async function countDue(asked: Asked, due: DueFilters | undefined) {
  const [overdue, soon] = await Promise.all([
    countTyped(asked, due?.overdue),
    countTyped(asked, due?.soon),
  ]);
  return { overdue, soon };
}

/** The start of a week; empty without a type, since the first use of a zone takes 20 ms. */
function weekOf(type: ObjectType | undefined, today: Today, weeksAgo: number): string {
  return type === undefined ? "" : weekStart(today, weeksAgo);
}

/** The first moment of the week that ended so many weeks ago; weeks end today. */
function weekStart({ timeZone, nowMs }: Today, weeksAgo: number): string {
  const today = dateIn(timeZone, new Date(nowMs));
  return startOfDate(timeZone, daysLater(today, -6 - 7 * weeksAgo)).toISOString();
}

/** The figures of a type, which the feed refreshes; no request is sent without a type. */
export function useTypeFigures(
  type: ObjectType | undefined,
  today: Today,
): LiveAnswer<TypeFigures | null> {
  const since = weekOf(type, today, 0);
  return useAnswer<TypeFigures | null>(
    ["resources.aggregate", type?.slug, "home", since],
    async (client, signal, tenantId) => {
      if (type === undefined) return null;
      const asked = { client, signal, tenantId, type };
      const status = statusField(type);
      const groups = { groupBy: [status ?? ""], metrics: metricsBody(countOfRecords) };
      const records = client.useResources(type.slug, { tenantId });
      const [states, due, recent] = await Promise.all([
        status === undefined
          ? null
          : records.aggregate({ ...groups, limit: shownStates }, { signal }),
        countDue(asked, dueFilters(type, today.timeZone, Date.now())),
        count(asked, { created_at: { $gte: since } }),
      ]);
      return { states, ...due, recent };
    },
    { refreshMs, enabled: type !== undefined },
  );
}

/** New records of the 7 weeks before the last 7 days, oldest first. */
export function useEarlierWeeks(
  type: ObjectType | undefined,
  today: Today,
): readonly number[] | undefined {
  const since = weekOf(type, today, earlierWeeks);
  const { value } = useAnswer<readonly number[]>(
    ["home.weeks", type?.slug, since],
    async (client, signal, tenantId) => {
      if (type === undefined) return [];
      const asked = { client, signal, tenantId, type };
      const weeks = Array.from({ length: earlierWeeks }, (_, index) => {
        const [from, to] = [earlierWeeks - index, earlierWeeks - index - 1];
        const created_at = { $gte: weekStart(today, from), $lt: weekStart(today, to) };
        return count(asked, { created_at });
      });
      return (await Promise.all(weeks)).map((week) => week ?? 0);
    },
    { refreshMs: weeksRefreshMs, enabled: type !== undefined },
  );
  return value;
}
