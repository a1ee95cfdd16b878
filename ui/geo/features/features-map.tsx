import type { MapPoint, MapWindow } from "#lib/map/window.ts";
import { useTextFilter } from "../../kit/filter/use-filter.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { MapPane, type MapPoints } from "../../kit/map/map-pane.tsx";
import { boxOf } from "../../kit/map/map-window.ts";
import { placeShellPart } from "../../kit/places/action.ts";
import { usePart } from "../../kit/state/part.ts";
import { useNotices } from "../../shell/notices.ts";
import { useAnswer, type LiveAnswer } from "../../shell/platform/use-answer.ts";
import { useRouter, type ShownDataset } from "../../shell/router.ts";
import { featureFilter, featureQuery, queryOptions } from "./feature-query.ts";

const pageSize = 500;
const mostFeatures = 5_000;
const refreshMs = 60_000;

/** The positions of up to 5,000 features that match the filter. */
function useFeaturePoints({ id, names }: ShownDataset, text: string): LiveAnswer<MapPoints> {
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

/** The features of a dataset on a map; Enter lists those in its visible part. */
export function FeaturesMap(props: { readonly dataset: ShownDataset }) {
  const { dataset } = props;
  const { id, title, names } = dataset;
  const { go } = useRouter();
  const shell = usePart(placeShellPart);
  const { sayFailure } = useNotices();
  const filter = useTextFilter(featureFilter(dataset));
  const answer = useFeaturePoints(dataset, filter.text);
  const list = (window: MapWindow) => {
    filter.use(boxOf(window)?.join(",") ?? "");
    go({ place: "geo", dataset });
  };
  useKeys(
    "place",
    {
      filter: filter.start,
      goBack: filter.text === "" ? shell.back : filter.clear,
      copyCommand: () => {
        const { where } = queryOptions(filter.text, names);
        shell.copyCommand(["geo", "map", id], { where });
      },
    },
    { active: !filter.typing },
  );
  return (
    <MapPane
      id={`features of ${id}`}
      name={title}
      items="features"
      answer={answer}
      filter={filter}
      empty="No feature of this dataset has a place."
      onList={list}
      onFailure={sayFailure}
    />
  );
}
