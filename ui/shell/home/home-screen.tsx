import { Box } from "ink";
import { useMemo } from "react";
import { movesThrough } from "../../kit/cursor/list-cursor.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { Pane, paneBorder } from "../../kit/panes/pane.tsx";
import type { Size } from "../../kit/panes/layout.ts";
import { useLayout, usePanes } from "../../kit/panes/use-panes.ts";
import { placeShellPart } from "../../kit/places/action.ts";
import type { TabScreen } from "../../kit/places/tabbed-place.tsx";
import { numberWidth, rowNumber, spokenPart } from "../../kit/spoken/spoken.ts";
import { usePart } from "../../kit/state/part.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText } from "../../kit/text/text-layout.ts";
import { TextLines } from "../../kit/text/text-lines.tsx";
import { wordsRow, type HomePart, type HomeRow } from "./home-rows.ts";

/** The parts of home by their column; a narrow screen has one column. */
export interface HomeColumns {
  readonly left: readonly HomePart[];
  readonly right: readonly HomePart[];
}

const panes = ["home"];
/** The least widths for two and for three columns. */
const twoColumns = 84;
const threeColumns = 150;

/** The selected row; the first one until the user moves, since rows arrive one after the other. */
interface Chosen {
  readonly id: string;
  readonly index: number;
}

const nothingChosen: Chosen = { id: "", index: 0 };

/** A line of a column; undefined for the blank between two parts. */
type Slot = HomeRow | undefined;

/** The lines of a column; its parts take turns with their further rows until it is full. */
function slotsOf(parts: readonly HomePart[], height: number): Slot[] {
  const filled = parts.filter(({ rows }) => rows.length > 0);
  const further = filled.map(() => 0);
  let room = height - filled.reduce((sum, { rows }) => sum + rows.length + 1, -1);
  for (let before = -1; room > 0 && room !== before;) {
    before = room;
    for (const [index, { more = [] }] of filled.entries()) {
      const taken = further[index] ?? 0;
      if (room <= 0 || taken >= more.length) continue;
      further[index] = taken + 1;
      room -= 1;
    }
  }
  return filled.flatMap(({ rows, more = [] }, index): readonly Slot[] => {
    const all = [...rows, ...more.slice(0, further[index])];
    return index === 0 ? all : [undefined, ...all];
  });
}

/** The first steps where nothing is stored yet; undefined in any other workspace. */
export function stepsOf({ left, right }: HomeColumns): HomeRow[] | undefined {
  const parts = [...left, ...right].filter(({ step }) => step !== undefined);
  if (parts.length === 0 || parts.some(({ isFilled }) => isFilled !== false)) return undefined;
  const heading = wordsRow("steps", "This workspace is empty. First steps:", "heading");
  return [heading, ...parts.flatMap(({ step }) => step ?? [])];
}

/** The slots of the columns that a screen of this size has. */
export function columnsOf(home: HomeColumns, { width, height }: Size): Slot[][] {
  const steps = stepsOf(home);
  const left = steps === undefined ? home.left : [{ rows: steps }];
  const right = home.right.filter((part) => steps === undefined || part.step === undefined);
  if (width < twoColumns || steps !== undefined) {
    return [slotsOf(inOneColumn(left, right), height)];
  }
  const columns = width < threeColumns ? [left, right] : inThreeColumns(left, right);
  return columns.map((parts) => slotsOf(parts, height)).filter((slots) => slots.length > 0);
}

function inThreeColumns(left: readonly HomePart[], right: readonly HomePart[]): HomePart[][] {
  const isMiddle = ({ isMiddle = false }: HomePart) => isMiddle;
  const isOther = (part: HomePart) => !isMiddle(part);
  const middle = [...right.filter(isMiddle), ...left.filter(isMiddle)];
  return [left.filter(isOther), middle, right.filter(isOther)];
}

/** The parts for a narrow screen, whose first page has the first figures and what is urgent. */
function inOneColumn(left: readonly HomePart[], right: readonly HomePart[]): HomePart[] {
  const urgent = right.filter(({ isUrgent }) => isUrgent === true);
  const others = right.filter(({ isUrgent }) => isUrgent !== true);
  return [...left.slice(0, 1), ...urgent, ...left.slice(1), ...others];
}

/** The row next to another one in the column so many to the right; the nearest line wins. */
export function rowBeside(columns: readonly Slot[][], id: string, by: number): string | undefined {
  const at = columns.findIndex((slots) => slots.some((slot) => slot?.id === id));
  const line = columns[at]?.findIndex((slot) => slot?.id === id) ?? 0;
  const lines = (columns[at + by] ?? []).flatMap((slot, index) =>
    slot?.open === undefined ? [] : [{ id: slot.id, away: Math.abs(index - line) }],
  );
  return lines.toSorted((a, b) => a.away - b.away)[0]?.id;
}

/** A column turns its pages: a step within one draws two lines. */
function topOf(slots: readonly Slot[], selected: string | undefined, height: number): number {
  const at = slots.findIndex((slot) => slot !== undefined && slot.id === selected);
  const page = Math.max(1, height - 1);
  const lowest = Math.max(0, slots.length - height);
  return Math.min(lowest, Math.floor(Math.max(0, at) / page) * page);
}

function lineOf(slot: Slot, width: number, isSelected: boolean, index = -1): StyledLine {
  if (slot === undefined) return [];
  if (index !== -1) {
    const number = { text: rowNumber(index, { selected: isSelected }) };
    return [number, ...slot.draw(width - numberWidth)];
  }
  const line = slot.draw(width);
  if (!isSelected) return line;
  // Each row begins with a blank, which becomes the sign of the selection.
  const text = line.map((span) => span.text).join("");
  return [{ text: fitText(`▸${text.slice(1)}`, width), as: "selected" }];
}

function HomeBody(props: Size & { readonly home: HomeColumns; readonly focused: boolean }) {
  const { home, width, height, focused } = props;
  const shell = usePart(placeShellPart);
  const isSpoken = usePart(spokenPart).isSpoken;
  const columns = useMemo(
    () => columnsOf(home, isSpoken ? { width: 0, height: 0 } : { width, height }),
    [home, isSpoken, width, height],
  );
  const targets = columns.flat().filter((slot) => slot?.open !== undefined);
  const [chosen, setChosen] = useRemembered("home", nothingChosen);
  const known = targets.findIndex((slot) => slot?.id === chosen.id);
  // Another row takes the place of one that is gone.
  const index = known === -1 ? Math.min(chosen.index, targets.length - 1) : known;
  const selected = targets[index];
  const choose = (to: number) => {
    const id = targets[to]?.id;
    if (id !== undefined) setChosen({ id, index: to });
  };
  const moves = movesThrough(
    (change) => choose(change({ index, top: 0 }).index),
    () => ({ count: targets.length, rows: height }),
  );
  const toColumn = (by: number) => () => {
    const id = rowBeside(columns, selected?.id ?? "", by);
    if (id !== undefined) choose(targets.findIndex((slot) => slot?.id === id));
  };
  const command = selected?.command;
  useKeys(
    "place",
    {
      ...selected?.handlers,
      goBack: shell.back,
      copyCommand: command === undefined ? undefined : () => shell.copyCommand(...command),
    },
    { facts: { rows: targets.length, ...selected?.facts } },
  );
  useKeys(
    "pane",
    { ...moves, left: toColumn(-1), right: toColumn(1), open: () => selected?.open?.() },
    { active: focused, facts: { rows: targets.length, ...selected?.facts } },
  );
  const columnWidth = Math.floor(width / Math.max(1, columns.length));
  return (
    <Box flexShrink={0} width={width} height={height} overflow="hidden">
      {columns.map((slots, index) => (
        <TextLines
          key={index}
          lines={slots.map((slot) =>
            lineOf(
              slot,
              columnWidth - 1,
              focused && slot !== undefined && slot === selected,
              isSpoken ? targets.indexOf(slot) : -1,
            ),
          )}
          top={topOf(slots, selected?.id, height)}
          width={columnWidth}
          height={height}
        />
      ))}
    </Box>
  );
}

/** Home: the figures of a workspace, or the first steps in an empty one. */
export function homeScreen(useHome: () => HomeColumns): TabScreen {
  return function HomeScreen({ tab }) {
    const { width, height } = useLayout();
    const focused = usePanes(panes).focused === "home";
    const home = useHome();
    useKeys("place", { nextTab: tab?.nextTab, previousTab: tab?.previousTab });
    return (
      <Pane title="Home" tabs={tab?.tabs} width={width} height={height} focused={focused}>
        <HomeBody
          home={home}
          width={width - paneBorder}
          height={height - paneBorder}
          focused={focused}
        />
      </Pane>
    );
  };
}
