import type { Client, Membership } from "#client/index.ts";
import { readJob } from "#lib/job-outcome.ts";
import { dataFields } from "../kit/data-fields/data-fields.ts";
import { dueFilters } from "../kit/data-fields/due-filters.ts";
import { parseFilter } from "../kit/filter/filter-language.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";

const readJobs = 20;
const readReviews = 100;
const refreshMs = 60_000;

/** The figures of one workspace that call for attention. */
export interface WorkspaceFigures {
  readonly id: string;
  readonly records: number;
  readonly overdue: number;
  /** Open records that are due in 7 days. */
  readonly soon: number;
  readonly failedJobs: number;
  readonly runningJobs: number;
  /** Labels and fields to look at, at most 100. */
  readonly reviews: number;
  /** Open alerts for the user. */
  readonly alerts: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

async function figuresOf(
  client: Client,
  { id, timeZone = "UTC" }: Membership,
  signal: AbortSignal,
): Promise<WorkspaceFigures> {
  const { objectTypes } = await client.objectTypes.schema({ tenantId: id, signal });
  const dueCounts = await Promise.all(
    objectTypes.map(async (type) => {
      const due = dueFilters(type, timeZone, Date.now());
      const countOf = async (filter: string | undefined) => {
        const parsed = filter === undefined ? undefined : parseFilter(filter, dataFields(type));
        if (parsed === undefined || !("where" in parsed)) return 0;
        const records = client.useResources(type.slug, { tenantId: id });
        const { where } = parsed;
        return (await records.list({ where, limit: 1, count: true, signal })).total ?? 0;
      };
      return await Promise.all([countOf(due?.overdue), countOf(due?.soon)]);
    }),
  );
  // A role or a platform may have no reviews or alerts: the other figures stay.
  const [jobs, reviews, alerts] = await Promise.all([
    client.useDocuments(id).jobs({ limit: readJobs, signal }),
    client.reviews.list({ tenantId: id, query: { limit: readReviews }, signal }).then(
      ({ items }) => items.length,
      () => 0,
    ),
    client.alerts
      .list({ tenantId: id, query: { limit: 1, count: true, status: "open" }, signal })
      .then(
        ({ total }) => total ?? 0,
        () => 0,
      ),
  ]);
  const readings = jobs.items.map((job) => readJob(job));
  return {
    id,
    records: sum(objectTypes.map(({ recordCount }) => recordCount ?? 0)),
    overdue: sum(dueCounts.map(([overdue]) => overdue)),
    soon: sum(dueCounts.map(([, soon]) => soon)),
    failedJobs: readings.filter(({ outcome }) => outcome === "failed").length,
    runningJobs: readings.filter(({ isActive }) => isActive).length,
    reviews,
    alerts,
  };
}

/** The figures of workspaces, which are read one after the other; those that refuse are absent. */
export function useWorkspaceFigures(
  workspaces: readonly Membership[],
): LiveAnswer<readonly WorkspaceFigures[]> {
  return useAnswer<readonly WorkspaceFigures[]>(
    ["home.workspaces", workspaces.map(({ id }) => id).join(" ")],
    async (client, signal) => {
      const figures: WorkspaceFigures[] = [];
      for (const each of workspaces) {
        const known = await figuresOf(client, each, signal).catch(() => undefined);
        signal.throwIfAborted();
        if (known !== undefined) figures.push(known);
      }
      return figures;
    },
    { refreshMs, enabled: workspaces.length > 0 },
  );
}
