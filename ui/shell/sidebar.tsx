import { Text } from "ink";
import type { ObjectType } from "#client/index.ts";
import { Area, SelectedLine } from "../kit/theme/paint.tsx";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { useRemembered } from "../kit/state/use-remembered.tsx";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { useObjectTypes } from "./platform/use-object-types.ts";
import { useSidebarFocus } from "../kit/panes/use-panes.tsx";
import { useRouter } from "./use-router.tsx";
import { useStyle } from "../kit/theme/use-theme.tsx";
import { useUploads } from "./use-uploads.ts";
import { listStart, settle, type ListCursor } from "../kit/lists/list-cursor.ts";
import { movesThrough } from "../kit/lists/list-moves.ts";
import { places, type Place, type PlaceCounts } from "./places.ts";
import type { Route } from "./router.ts";
import { fitText, textWidth } from "../kit/text/text-layout.ts";
import { shownRows } from "./sidebar-window.ts";
import { countWords, rowWords } from "../kit/text/words.ts";

interface SidebarRow {
  readonly id: string;
  readonly words: string;
  readonly beside: string;
  readonly route: Route;
  readonly open: boolean;
}

function typeRows(types: readonly ObjectType[], route: Route): SidebarRow[] {
  return types.map((type) => ({
    id: `type ${type.slug}`,
    words: `  ${type.slug}`,
    beside: type.recordCount === undefined ? "" : countWords(type.recordCount),
    route: { place: "resources", objectType: type.slug },
    open: route.place === "resources" && route.objectType === type.slug,
  }));
}

/** The places at the left, with the Object Types below the resources. */
export function Sidebar(props: {
  readonly counts: PlaceCounts;
  readonly width: number;
  readonly height: number;
}) {
  const { counts, width, height } = props;
  const { route, go } = useRouter();
  const types = useObjectTypes();
  const { uploads } = useUploads();
  const { focused, leave } = useSidebarFocus();
  const [cursor, setCursor] = useRemembered<ListCursor>("sidebar", listStart);
  const sending = uploads.filter((upload) => upload.state === "sending").length;
  const beside = (place: Place) =>
    place === "jobs" && sending > 0 ? `${sending} ▲` : (counts[place] ?? "");
  const ofTypes = typeRows(types.value ?? [], route);
  const rows = places.flatMap(({ id, words }, index): SidebarRow[] => [
    {
      id,
      words: `${index + 1} ${words}`,
      beside: beside(id),
      route: { place: id },
      open: route.place === id && (route.place !== "resources" || route.objectType === undefined),
    },
    ...(id === "resources" ? ofTypes : []),
  ]);
  const visible = Math.max(1, height - paneBorder);
  const at = settle(cursor, rows.length, visible);
  const selected = rows[at.index];
  const open = ofTypes.findIndex((row) => row.open) + 1;
  const place = { typeCount: ofTypes.length, at: focused ? at.index : open, lines: visible };
  useKeys(
    "pane",
    {
      ...movesThrough(setCursor, rows.length, visible),
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
      corner={focused && rows.length > visible ? rowWords(at.index, rows.length) : undefined}
      width={width}
      height={height}
      focused={focused}
    >
      <Area height={visible}>
        {shownRows(rows, place).map((row) => (
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
  const openStyle = useStyle("focus");
  const room = width - textWidth(row.beside) - 3;
  const text = `${row.open ? "▸" : " "}${fitText(row.words, room)} ${row.beside} `;
  if (selected) return <SelectedLine text={text} />;
  return (
    <Text wrap="truncate-end" {...(row.open ? openStyle : {})}>
      {text}
    </Text>
  );
}
