import { useMemo } from "react";
import type { DrawnMap } from "#lib/map/draw-map.ts";
import type { MapPoint, MapWindow } from "#lib/map/window.ts";
import type { Answer } from "../answers/cache.ts";
import { FilterLine } from "../filter/filter-line.tsx";
import type { Filter } from "../filter/use-filter.ts";
import { filterHint } from "../keys/base-keys.ts";
import { useKeys } from "../keys/use-keys.ts";
import type { Size } from "../panes/layout.ts";
import { Pane, paneBorder } from "../panes/pane.tsx";
import { Empty, Stale, Unanswered } from "../panes/states.tsx";
import { useLayout, usePanes } from "../panes/use-panes.ts";
import { useRemembered } from "../state/use-remembered.ts";
import { TextLines } from "../text/text-lines.tsx";
import { countWords } from "../text/words.ts";
import { namedLines } from "./map-names.ts";
import { moved, windowWords, zoomed } from "./map-window.ts";
import { useDrawnMap } from "./use-drawn-map.ts";

/** The places of a list's items. */
export interface MapPoints {
  readonly points: readonly MapPoint[];
  /** The names of the points, in their order. */
  readonly names?: readonly string[];
  /** Items that were read, also those without a place. */
  readonly count: number;
  /** More items match than were read. */
  readonly hasMore: boolean;
}

const panes = ["map"];
/** The part of the map by which one key moves it. */
const stepShare = 0.25;

interface ShownWindow {
  /** The window that the user has chosen; absent for the one that has all points. */
  readonly window?: MapWindow;
}
const allPoints: ShownWindow = {};

interface MapSigns {
  /** Coasts are drawn in quarters of cells, and not in Braille. */
  readonly isBlocks: boolean;
}
const braille: MapSigns = { isBlocks: false };
const noPoints: readonly MapPoint[] = [];

export interface MapPaneProps {
  /** The name of the map, by which its window is remembered. */
  readonly id: string;
  /** The things of the map, such as an Object Type. */
  readonly name: string;
  /** The items in the plural, e.g. `records`. */
  readonly items: string;
  readonly answer: Answer<MapPoints>;
  readonly filter: Filter;
  /** Shown where no item has a place. */
  readonly empty: string;
  /** Lists the items in the visible part of the map. */
  readonly onList: (window: MapWindow) => void;
  readonly onFailure: (error: unknown) => void;
}

function useNamedLines(map: DrawnMap | undefined, value: MapPoints | undefined, area: Size) {
  const { points = noPoints, names } = value ?? {};
  const { width, height } = area;
  return useMemo(
    () => (map === undefined ? [] : namedLines(map, { points, names }, width, height)),
    [map, points, names, width, height],
  );
}

/** Points on a map of the whole place, which keys move and zoom. */
export function MapPane(props: MapPaneProps) {
  const { id, name, items, answer, filter, empty, onList, onFailure } = props;
  const { width, height } = useLayout();
  const focused = usePanes(panes).focused === "map";
  const { value, failure, answeredAtMs } = answer;
  const [{ window: chosen }, setShown] = useRemembered<ShownWindow>(`map ${id}`, allPoints);
  const stale = value !== undefined && failure !== undefined ? 1 : 0;
  const inner = {
    width: width - paneBorder,
    height: height - paneBorder - filter.rows - stale,
  };
  const points = value?.points ?? noPoints;
  const [{ isBlocks }, setSigns] = useRemembered<MapSigns>("map signs", braille);
  const map = useDrawnMap(points, chosen, { ...inner, isBlocks }, onFailure);
  const lines = useNamedLines(map, value, inner);
  const change = (to: (window: MapWindow, count: number) => MapWindow) => (count: number) => {
    if (map !== undefined) setShown({ window: to(map.window, count) });
  };
  useKeys(
    "pane",
    {
      zoomIn: change((window, count) => zoomed(window, 0.5 ** count)),
      zoomOut: change((window, count) => zoomed(window, 2 ** count)),
      up: change((window, count) => moved(window, 0, stepShare * count)),
      down: change((window, count) => moved(window, 0, -stepShare * count)),
      left: change((window, count) => moved(window, -stepShare * count, 0)),
      right: change((window, count) => moved(window, stepShare * count, 0)),
      first: () => setShown(allPoints),
      mapSigns: () => setSigns((now) => ({ isBlocks: !now.isBlocks })),
      open: () => map === undefined || onList(map.window),
    },
    { active: !filter.typing },
  );
  const more = value?.hasMore === true ? "+" : "";
  const counts =
    value === undefined
      ? []
      : [`${countWords(points.length)} places of ${countWords(value.count)}${more} ${items}`];
  return (
    <>
      {filter.rows > 0 ? (
        <FilterLine filter={filter} failure={failure} rows={value?.count ?? 0} width={width} />
      ) : null}
      <Pane
        title={`${name} on a map`}
        facts={[...counts, ...filter.facts]}
        corner={map === undefined ? undefined : windowWords(map.window)}
        width={width}
        height={height - filter.rows}
        focused={focused}
      >
        {value === undefined ? (
          <Unanswered {...inner} failure={failure} loading={`Loading places of ${name}`} />
        ) : points.length === 0 ? (
          <Empty
            {...inner}
            words={filter.text === "" ? empty : filter.noMatch}
            {...(filter.text === "" ? {} : { next: filterHint() })}
          />
        ) : (
          <>
            <Stale failure={failure} answeredAtMs={answeredAtMs} width={inner.width} />
            <TextLines lines={lines} top={0} {...inner} />
          </>
        )}
      </Pane>
    </>
  );
}
