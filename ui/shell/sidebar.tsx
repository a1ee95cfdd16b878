import type { ObjectType } from "#client/index.ts";
import { useKeys } from "../kit/keys/use-keys.ts";
import {
  positionStart,
  useRowCursor,
  wholeRows,
  type RowPosition,
} from "../kit/cursor/row-cursor.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { useSidebarFocus } from "../kit/panes/use-panes.ts";
import { useStore } from "../kit/state/store.ts";
import { useRememberedCell } from "../kit/state/use-remembered.ts";
import { fitText, textWidth } from "../kit/text/text-layout.ts";
import { countWords, rowWords } from "../kit/text/words.ts";
import { Area, Line, SelectedLine } from "../kit/theme/paint.tsx";
import { places, type Place, type PlaceCounts } from "./places.ts";
import { useObjectTypes } from "./platform/use-object-types.ts";
import { useRoute, useRouter, type Route } from "./router.ts";
import { useUploads } from "./use-uploads.ts";

interface SidebarRow {
  readonly id: string;
  readonly words: string;
  readonly note: string;
  readonly route: Route;
  readonly open: boolean;
}

const keyOf = ({ id }: SidebarRow) => id;

function typeRows(types: readonly ObjectType[], route: Route): SidebarRow[] {
  return types.map(({ slug, recordCount }) => ({
    id: `type ${slug}`,
    words: `  ${slug}`,
    note: recordCount === undefined ? "" : countWords(recordCount),
    route: { place: "resources", objectType: slug },
    open: route.place === "resources" && route.objectType === slug,
  }));
}

/**
 * The rows that fit into `lines`: every place, and the Object Types around the row `at`. The types
 * are the rows from the second one on.
 */
export function shownRows<Row>(
  rows: readonly Row[],
  { typeCount, at, lines }: { typeCount: number; at: number; lines: number },
): readonly Row[] {
  const hidden = Math.min(typeCount, rows.length - lines);
  if (hidden <= 0) return rows;
  const room = typeCount - hidden;
  const first = 1 + Math.max(0, Math.min(at - 1 - Math.floor(room / 2), hidden));
  return [...rows.slice(0, 1), ...rows.slice(first, first + room), ...rows.slice(1 + typeCount)];
}

export function Sidebar(props: {
  readonly counts: PlaceCounts;
  readonly width: number;
  readonly height: number;
}) {
  const { counts, width, height } = props;
  const { go } = useRouter();
  const route = useRoute();
  const { value: objectTypes = [] } = useObjectTypes();
  const uploads = useStore(useUploads().list);
  const { focused, leave } = useSidebarFocus();
  const position = useRememberedCell<RowPosition>("sidebar", positionStart);
  const sending = uploads.filter((upload) => upload.state === "sending").length;
  const noteOf = (place: Place) =>
    place === "jobs" && sending > 0 ? `${sending} ▲` : (counts[place] ?? "");
  const types = typeRows(objectTypes, route);
  const rows = places.flatMap(({ id, words }, index): SidebarRow[] => [
    {
      id,
      words: `${index + 1} ${words}`,
      note: noteOf(id),
      route: { place: id },
      open: route.place === id && (route.place !== "resources" || route.objectType === undefined),
    },
    ...(id === "resources" ? types : []),
  ]);
  const lines = Math.max(1, height - paneBorder);
  const cursor = useRowCursor(wholeRows(rows, keyOf), position, lines);
  const { index } = useStore(cursor);
  const selected = rows[index];
  const openType = types.findIndex((row) => row.open) + 1;
  const shown = shownRows(rows, { typeCount: types.length, at: focused ? index : openType, lines });
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
  return (
    <Pane
      title="Places"
      corner={focused && rows.length > lines ? rowWords(index, rows.length) : undefined}
      width={width}
      height={height}
      focused={focused}
    >
      <Area height={lines}>
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
  const text = `${row.open ? "▸" : " "}${fitText(row.words, room)} ${row.note} `;
  if (selected) return <SelectedLine text={text} />;
  return <Line as={row.open ? "focus" : "text"}>{text}</Line>;
}
