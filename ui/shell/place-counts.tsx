import { isMoving } from "../jobs/words.ts";
import type { Place } from "./places.ts";
import { countWords } from "../kit/text/words.ts";
import { useAnswer } from "./platform/use-answer.ts";
import { usePlatform } from "./platform/use-platform.tsx";

const refreshMs = 30_000;
const movingMs = 3_000;
const newestJobs = 20;

/** What stands beside the places: how many documents and members, how many jobs run. */
export function usePlaceCounts(): Readonly<Partial<Record<Place, string>>> {
  const { tenantId } = usePlatform();
  const enabled = tenantId !== undefined;
  const documents = useAnswer(
    ["documents.count"],
    async (client, signal) =>
      (await client.useDocuments(tenantId).list({ limit: 1, count: true, signal })).total ?? null,
    { refreshMs, enabled },
  );
  const members = useAnswer(
    ["members.count"],
    async (client, signal) => {
      const query = { limit: 1, count: true };
      return (await client.workspaces.members({ tenantId, query, signal })).total ?? null;
    },
    { refreshMs, enabled },
  );
  const jobs = useAnswer(
    ["jobs.moving"],
    async (client, signal) => {
      const { items } = await client.useDocuments(tenantId).jobs({ limit: newestJobs, signal });
      return items.filter(isMoving).length;
    },
    { refreshMs: (moving) => ((moving ?? 0) > 0 ? movingMs : refreshMs), enabled },
  );
  const count = (value: number | null | undefined) =>
    value === undefined || value === null ? "" : countWords(value);
  return {
    documents: count(documents.value),
    members: count(members.value),
    jobs: (jobs.value ?? 0) > 0 ? `${jobs.value} ▶` : "",
  };
}
