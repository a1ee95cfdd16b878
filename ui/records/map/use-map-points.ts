import type { JsonObject, ObjectType } from "#client/index.ts";
import type { MapPoint } from "#lib/map/window.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import type { MapPoints } from "../../kit/map/map-pane.tsx";
import { useAnswer, type LiveAnswer } from "../../shell/platform/use-answer.ts";

const pageSize = 500;
const mostRecords = 5_000;
const refreshMs = 60_000;

/** The places of up to 5,000 records that match the filter, which is JSON. */
export function useMapPoints(type: ObjectType, where: string | undefined): LiveAnswer<MapPoints> {
  return useAnswer<MapPoints>(
    ["resources.list", type.slug, "map", where],
    async (client, signal, tenantId) => {
      const { placesIn } = await import("#lib/map/places.ts");
      const filter = where === undefined ? {} : { where: JSON.parse(where) as JsonObject };
      const points: MapPoint[] = [];
      const names: string[] = [];
      let count = 0;
      const all = client.useResources(type.slug, { tenantId }).all({ ...filter, pageSize, signal });
      for await (const record of all) {
        if (count >= mostRecords) return { points, names, count, hasMore: true };
        count += 1;
        const places = placesIn(record.data).map(({ coordinates }) => coordinates);
        points.push(...places);
        names.push(...places.map(() => recordName(record, type)));
      }
      return { points, names, count, hasMore: false };
    },
    { refreshMs },
  );
}
