import type { ObjectType } from "#client/index.ts";
import { useKeys } from "../kit/keys/use-keys.ts";
import {
  positionStart,
  useRowCursor,
  wholeRows,
  type RowPosition,
} from "../kit/cursor/row-cursor.ts";
import { useMouse } from "../kit/mouse/mouse.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { useSidebarFocus } from "../kit/panes/use-panes.ts";
import { useSelected, useStore } from "../kit/state/store.ts";
import { useRememberedCell } from "../kit/state/use-remembered.ts";
import { clipMiddle, fitText, textWidth } from "../kit/text/text-layout.ts";
import { countWords, rowWords } from "../kit/text/words.ts";
import { Area, Line, SelectedLine } from "../kit/theme/paint.tsx";
import { places, quietPlaces, type Place, type PlaceCounts } from "./places.ts";
import { useNewCounts } from "./platform/feed/news.ts";
import { useFailureBadge } from "./platform/feed/place-failures.ts";
import { useShownTypes } from "./platform/shown-types.ts";
import { useObjectTypes } from "./platform/use-object-types.ts";
import { useRoute, useRouter, type Route } from "./router.ts";
import { useUploads, type Upload } from "./use-uploads.ts";

interface SidebarRow {
  readonly id: string;
  readonly words: string;
  readonly note: string;
  readonly route: Route;
  readonly open: boolean;
  /** True if its note calls for attention. */
  readonly isUrgent: boolean;
}

const keyOf = ({ id }: SidebarRow) => id;

/** The number of new things in a list and what else its row shows, e.g. `•3 42`. */
function withNews(count: number, note: string): string {
  return joined(count === 0 ? "" : `•${countWords(count)}`, note);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

function typeRows(
  types: readonly ObjectType[],
  route: Route,
  newIn: (place: string) => number,
): SidebarRow[] {
  return types.map(({ slug, recordCount }) => ({
    id: `type ${slug}`,
    words: `  ${slug}`,
    note: withNews(
      newIn(`records/${slug}`),
      recordCount === undefined ? "" : countWords(recordCount),
    ),
    route: { place: "resources", objectType: slug },
    open: route.place === "resources" && route.objectType === slug,
    isUrgent: false,
  }));
}

/** The places above the Object Types, which are those of the records. */
const placesAbove = 1 + places.findIndex(({ id }) => id === "resources");

/**
 * The rows that fit into `lines`: every place, and the Object Types around the row `at`. The types
 * are the rows from `above` on.
 */
export function shownRows<Row>(
  rows: readonly Row[],
  { typeCount, at, lines, above }: { typeCount: number; at: number; lines: number; above: number },
): readonly Row[] {
  const hidden = Math.min(typeCount, rows.length - lines);
  if (hidden <= 0) return rows;
  const room = typeCount - hidden;
  const first = above + Math.max(0, Math.min(at - above - Math.floor(room / 2), hidden));
  const below = rows.slice(above + typeCount);
  return [...rows.slice(0, above), ...rows.slice(first, first + room), ...below];
}

function sendingIn(uploads: readonly Upload[]): number {
  return uploads.filter(({ state }) => state === "sending").length;
}

function openTypeOf(route: Route): string | undefined {
  return route.place === "resources" ? route.objectType : undefined;
}

/** The places with their notes, and the Object Types among them. */
function useSidebarRows(counts: PlaceCounts) {
  const route = useRoute();
  const { value: objectTypes = [] } = useObjectTypes();
  const sending = useSelected(useUploads().list, sendingIn);
  const failures = useFailureBadge();
  const newIn = useNewCounts();
  const noteOf = (place: Place) => {
    const note = place === "jobs" && sending > 0 ? `${sending} ▲` : (counts[place] ?? "");
    return joined(withNews(newIn(place), note), failures(place));
  };
  const quiet = quietPlaces.flatMap(({ id, key, words }): SidebarRow[] => {
    const note = failures(id);
    const open = route.place === id;
    const row = { id, words: `${key} ${words}`, note, open, isUrgent: true };
    return note === "" ? [] : [{ ...row, route: { place: id } }];
  });
  const types = typeRows(useShownTypes(objectTypes, openTypeOf(route)), route, newIn);
  const listed = places.flatMap(({ id, key, words }): SidebarRow[] => [
    {
      id,
      words: `${key} ${words}`,
      note: noteOf(id),
      route: { place: id },
      open: route.place === id && (route.place !== "resources" || route.objectType === undefined),
      isUrgent: (id === "alerts" && noteOf(id) !== "") || failures(id) !== "",
    },
    ...(id === "resources" ? types : []),
  ]);
  return { rows: [...listed, ...quiet], types };
}

export function Sidebar(props: {
  readonly counts: PlaceCounts;
  readonly width: number;
  readonly height: number;
}) {
  const { counts, width, height } = props;
  const { go } = useRouter();
  const { focused, leave } = useSidebarFocus();
  const position = useRememberedCell<RowPosition>("sidebar", positionStart);
  const { rows, types } = useSidebarRows(counts);
  const lines = Math.max(1, height - paneBorder);
  const cursor = useRowCursor(wholeRows(rows, keyOf), position, lines);
  const { index } = useStore(cursor);
  const selected = rows[index];
  const at = focused ? index : types.findIndex((row) => row.open) + placesAbove;
  const shown = shownRows(rows, { typeCount: types.length, at, lines, above: placesAbove });
  useKeys(
    "pane",
    {
      ...cursor.moves,
      open: () => {
        if (selected === undefined) return;
        go(selected.route);
        leave();
      },
    },
    { active: focused, facts: { rows: rows.length } },
  );
  const node = useMouse({
    scope: "place",
    press: (_, y) => {
      const row = shown[y];
      if (row !== undefined) go(row.route);
      leave();
    },
  });
  return (
    <Pane
      title="Places"
      corner={focused && rows.length > lines ? rowWords(index, rows.length) : undefined}
      width={width}
      height={height}
      focused={focused}
    >
      <Area height={lines} node={node}>
        {shown.map((row) => (
          <SidebarLine
            key={row.id}
            row={row}
            selected={focused && row === selected}
            width={width - paneBorder}
          />
        ))}
      </Area>
    </Pane>
  );
}

function SidebarLine(props: {
  readonly row: SidebarRow;
  readonly selected: boolean;
  readonly width: number;
}) {
  const { row, selected, width } = props;
  const room = width - textWidth(row.note) - 3;
  const text = `${row.open ? "▸" : " "}${fitText(clipMiddle(row.words, room), room)} ${row.note} `;
  if (selected) return <SelectedLine text={text} />;
  return <Line as={row.open ? "focus" : row.isUrgent ? "warn" : "text"}>{text}</Line>;
}
