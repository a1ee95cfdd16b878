import type { JsonObject, ObjectType } from "#client/index.ts";
import type { DrawnMap } from "#lib/map/draw-map.ts";
import type { MapWindow } from "#lib/map/window.ts";
import { FilterLine } from "../../kit/filter/filter-line.tsx";
import { useFieldFilter } from "../../kit/filter/use-filter.ts";
import { filterHint } from "../../kit/keys/base-keys.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { Pane, paneBorder } from "../../kit/panes/pane.tsx";
import { Empty, Stale, Unanswered } from "../../kit/panes/states.tsx";
import { useLayout, usePanes } from "../../kit/panes/use-panes.ts";
import { placeShellPart } from "../../kit/places/action.ts";
import { usePart } from "../../kit/state/part.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { TextLines } from "../../kit/text/text-lines.tsx";
import { countWords } from "../../kit/text/words.ts";
import { useRouter } from "../../shell/router.ts";
import type { RecordKeys } from "../keys.ts";
import { recordFilter } from "../list/record-filter.ts";
import { areaFilter, moved, placeProperties, windowWords, zoomed } from "./map-window.ts";
import { useDrawnMap, useMapPoints } from "./use-map.ts";

const panes = ["map"];
/** The part of the map by which one key moves it. */
const stepShare = 0.25;

function linesOf(map: DrawnMap | undefined): StyledLine[] {
  return (map?.lines ?? []).map((line) =>
    line.map(({ kind, text }) => ({ text, as: kind === "coast" ? "quiet" : "key" })),
  );
}

interface ShownWindow {
  /** The window that the user has chosen; absent for the one that has all points. */
  readonly window?: MapWindow;
}
const allPoints: ShownWindow = {};

/** The keys of the map; without a drawn map they do nothing. */
function useMapKeys(
  type: ObjectType,
  filter: ReturnType<typeof useFieldFilter>,
  map: DrawnMap | undefined,
  setShown: (shown: ShownWindow) => void,
): void {
  const { go } = useRouter();
  const shell = usePart(placeShellPart);
  const change = (to: (window: MapWindow, count: number) => MapWindow) => (count: number) => {
    if (map !== undefined) setShown({ window: to(map.window, count) });
  };
  const list = () => {
    if (map === undefined) return;
    const before =
      filter.where === undefined ? undefined : (JSON.parse(filter.where) as JsonObject);
    const where = areaFilter(placeProperties(type), map.window, before);
    const text = where === undefined ? "" : JSON.stringify(where);
    go({
      place: "resources",
      objectType: type.slug,
      filter: { id: crypto.randomUUID(), text },
    });
  };
  useKeys<RecordKeys>(
    "pane",
    {
      zoomIn: change((window, count) => zoomed(window, 0.5 ** count)),
      zoomOut: change((window, count) => zoomed(window, 2 ** count)),
      up: change((window, count) => moved(window, 0, stepShare * count)),
      down: change((window, count) => moved(window, 0, -stepShare * count)),
      left: change((window, count) => moved(window, -stepShare * count, 0)),
      right: change((window, count) => moved(window, stepShare * count, 0)),
      first: () => setShown(allPoints),
      open: list,
    },
    { active: !filter.typing },
  );
  useKeys<RecordKeys>(
    "place",
    {
      filter: filter.start,
      goBack: filter.text === "" ? shell.back : filter.clear,
      copyCommand: () => shell.copyCommand(["geo", "map", type.slug], { where: filter.where }),
    },
    { active: !filter.typing },
  );
}

/** The records of one Object Type on a map; Enter lists those in its visible part. */
export function MapScreen(props: { readonly type: ObjectType }) {
  const { type } = props;
  const { width, height } = useLayout();
  const focused = usePanes(panes).focused === "map";
  const filter = useFieldFilter(recordFilter(type));
  const { value, failure, answeredAtMs } = useMapPoints(type, filter.where);
  const [{ window }, setShown] = useRemembered<ShownWindow>(`map ${type.slug}`, allPoints);
  const stale = value !== undefined && failure !== undefined ? 1 : 0;
  const inner = {
    width: width - paneBorder,
    height: height - paneBorder - filter.rows - stale,
  };
  const points = value?.points ?? [];
  const map = useDrawnMap(points, window, inner);
  useMapKeys(type, filter, map, setShown);
  const more = value?.hasMore === true ? "+" : "";
  const counts =
    value === undefined
      ? []
      : [`${countWords(points.length)} places of ${countWords(value.records)}${more} records`];
  return (
    <>
      {filter.rows > 0 ? (
        <FilterLine filter={filter} failure={failure} rows={value?.records ?? 0} width={width} />
      ) : null}
      <Pane
        title={`${type.slug} on a map`}
        facts={[...counts, ...filter.facts]}
        corner={map === undefined ? undefined : windowWords(map.window)}
        width={width}
        height={height - filter.rows}
        focused={focused}
      >
        {value === undefined ? (
          <Unanswered {...inner} failure={failure} loading={`Loading places of ${type.slug}`} />
        ) : points.length === 0 ? (
          <Empty
            {...inner}
            words={filter.text === "" ? "No record of this type has a place." : filter.noMatch}
            {...(filter.text === "" ? {} : { next: filterHint() })}
          />
        ) : (
          <>
            <Stale failure={failure} answeredAtMs={answeredAtMs} width={inner.width} />
            <TextLines lines={linesOf(map)} top={0} {...inner} />
          </>
        )}
      </Pane>
    </>
  );
}
