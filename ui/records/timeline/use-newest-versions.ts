import type { HistoryItem, ObjectType, Resource } from "#client/index.ts";
import { useSettled } from "../../kit/state/use-settled.ts";
import { useAnswer, type LiveAnswer } from "../../shell/platform/use-answer.ts";

const shownVersions = 100;
/** While the user scrolls through the list, no history is asked. */
const settledMs = 120;

export interface NewestVersions {
  readonly items: readonly HistoryItem[];
  readonly hasMore: boolean;
}

/** The newest 100 versions of a record, asked again with each new version. */
export function useNewestVersions(type: ObjectType, record: Resource): LiveAnswer<NewestVersions> {
  const { id, version } = record;
  const isSettled = useSettled(id, settledMs) === id;
  return useAnswer<NewestVersions>(
    ["resources.history", type.slug, id, "timeline", version],
    async (client, signal, tenantId) => {
      const records = client.useResources(type.slug, { tenantId });
      const { items, hasNextPage } = await records.history(id, { limit: shownVersions, signal });
      return { items, hasMore: hasNextPage === true };
    },
    { enabled: isSettled },
  );
}
