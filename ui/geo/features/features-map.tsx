import type { MapWindow } from "#lib/map/window.ts";
import { useTextFilter } from "../../kit/filter/use-filter.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { MapPane } from "../../kit/map/map-pane.tsx";
import { boxOf } from "../../kit/map/map-window.ts";
import { placeShellPart } from "../../kit/places/action.ts";
import { usePart } from "../../kit/state/part.ts";
import { useNotices } from "../../shell/notices.ts";
import { useRouter, type ShownDataset } from "../../shell/router.ts";
import { featureFilter, queryOptions } from "./feature-query.ts";
import { useFeaturePoints } from "./use-feature-points.ts";

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
