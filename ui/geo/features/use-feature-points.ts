import type { MapPoint } from "#lib/map/window.ts";
import type { MapPoints } from "../../kit/map/map-pane.tsx";
import { useAnswer, type LiveAnswer } from "../../shell/platform/use-answer.ts";
import type { ShownDataset } from "../../shell/router.ts";
import { featureQuery } from "./feature-query.ts";

const pageSize = 500;
const mostFeatures = 5_000;
const refreshMs = 60_000;

/** The positions of up to 5,000 features that match the filter. */
export function useFeaturePoints({ id, names }: ShownDataset, text: string): LiveAnswer<MapPoints> {
  return useAnswer<MapPoints>(
    ["geoFeatures.query", id, "map", text],
    async (client, signal, tenantId) => {
      const { placesIn } = await import("#lib/map/places.ts");
      const query = featureQuery(text, names);
      const asked = "problem" in query ? {} : query;
      const points: MapPoint[] = [];
      let count = 0;
      let cursor: string | undefined;
      do {
        const page = await client.geoFeatures.query({
          tenantId,
          signal,
          params: { dataset: id },
          body: { limit: pageSize, ...asked, ...(cursor === undefined ? {} : { cursor }) },
        });
        count += page.items.length;
        for (const { geometry } of page.items) {
          points.push(...placesIn({ geometry }).map(({ coordinates }) => coordinates));
        }
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && count < mostFeatures);
      return { points, count, hasMore: cursor !== undefined };
    },
    { refreshMs },
  );
}
