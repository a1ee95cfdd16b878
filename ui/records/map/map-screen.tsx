import type { JsonObject, ObjectType } from "#client/index.ts";
import type { MapWindow } from "#lib/map/window.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { MapPane } from "../../kit/map/map-pane.tsx";
import { areaFilter, placeProperties } from "../../kit/map/map-window.ts";
import { placeShellPart } from "../../kit/places/action.ts";
import { usePart } from "../../kit/state/part.ts";
import { useNotices } from "../../shell/notices.ts";
import { useRouter } from "../../shell/router.ts";
import { useRecordFilter } from "../list/use-record-filter.ts";
import { useMapPoints } from "./use-map-points.ts";

/** The records of one Object Type on a map; Enter lists those in its visible part. */
export function MapScreen(props: { readonly type: ObjectType }) {
  const { type } = props;
  const { go } = useRouter();
  const shell = usePart(placeShellPart);
  const { sayFailure } = useNotices();
  const filter = useRecordFilter(type);
  const answer = useMapPoints(type, filter.where);
  const list = (window: MapWindow) => {
    const before =
      filter.where === undefined ? undefined : (JSON.parse(filter.where) as JsonObject);
    const where = areaFilter(placeProperties(type), window, before);
    const text = where === undefined ? "" : JSON.stringify(where);
    go({
      place: "resources",
      objectType: type.slug,
      filter: { id: crypto.randomUUID(), text },
    });
  };
  useKeys(
    "place",
    {
      filter: filter.start,
      goBack: filter.text === "" ? shell.back : filter.clear,
      copyCommand: () => shell.copyCommand(["geo", "map", type.slug], { where: filter.where }),
    },
    { active: !filter.typing },
  );
  return (
    <MapPane
      id={type.slug}
      name={type.slug}
      items="records"
      answer={answer}
      filter={filter}
      empty="No record of this type has a place."
      onList={list}
      onFailure={sayFailure}
    />
  );
}
