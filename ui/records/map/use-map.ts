import { useEffect, useMemo, useState } from "react";
import type { JsonObject, ObjectType } from "#client/index.ts";
import type { drawMap, DrawnMap } from "#lib/map/draw-map.ts";
import type { MapPoint, MapWindow } from "#lib/map/window.ts";
import type { Size } from "../../kit/panes/layout.ts";
import { useNotices } from "../../shell/notices.ts";
import { useAnswer, type LiveAnswer } from "../../shell/platform/use-answer.ts";

export interface MapPoints {
  readonly points: readonly MapPoint[];
  /** Records that were read, also those without a place. */
  readonly records: number;
  /** More records match than were read. */
  readonly hasMore: boolean;
}

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
      let records = 0;
      const all = client.useResources(type.slug, { tenantId }).all({ ...filter, pageSize, signal });
      for await (const { data } of all) {
        if (records >= mostRecords) return { points, records, hasMore: true };
        records += 1;
        points.push(...placesIn(data).map(({ coordinates }) => coordinates));
      }
      return { points, records, hasMore: false };
    },
    { refreshMs },
  );
}

type Draw = (input: Omit<Parameters<typeof drawMap>[0], "coast">) => DrawnMap;

/** The coast lines take half a megabyte: they are loaded with the first map. */
async function loadDraw(): Promise<Draw> {
  const [{ drawMap: draw }, { coastLines }] = await Promise.all([
    import("#lib/map/draw-map.ts"),
    import("#lib/map/coast.ts"),
  ]);
  const coast = coastLines();
  return (input) => draw({ ...input, coast });
}

/** The drawn map; undefined until its parts are loaded. */
export function useDrawnMap(
  points: readonly MapPoint[],
  window: MapWindow | undefined,
  { width, height }: Size,
): DrawnMap | undefined {
  const { sayFailure } = useNotices();
  const [draw, setDraw] = useState<Draw>();
  useEffect(() => {
    let isOpen = true;
    loadDraw().then((loaded) => {
      if (isOpen) setDraw(() => loaded);
    }, sayFailure);
    return () => {
      isOpen = false;
    };
  }, [sayFailure]);
  return useMemo(
    () => draw?.({ points, columns: Math.max(1, width), rows: Math.max(1, height), window }),
    [draw, points, window, width, height],
  );
}
