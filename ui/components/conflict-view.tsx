import { Box } from "ink";
import { sideOf, type Decisions, type Threefold } from "../form/merge.ts";
import { decide, editDecided, threesOf, type FormSession } from "../form/form-session.ts";
import { useKeys } from "../hooks/use-keys.tsx";
import { settle } from "../list-cursor.ts";
import { headingOf } from "../record-columns.ts";
import type { StyledLine } from "../styled-lines.ts";
import { fitText, wrapText } from "../text-layout.ts";
import type { Token } from "../theme.ts";
import { Area, Line } from "./paint.tsx";
import { TextLines } from "./text-lines.tsx";

export interface ConflictViewProps {
  readonly session: FormSession;
  readonly active: boolean;
  readonly width: number;
  readonly height: number;
  readonly onChange: (next: (now: FormSession) => FormSession) => void;
  readonly onSave: () => void;
}

/** Side by side from here on, else one above the other. */
const sideBySideFrom = 90;
const longestList = 8;
const nothingDecided: Decisions = new Map();

const by = { me: "changed by you", them: "changed by them", both: "changed by both" } as const;

function decisionWords(three: Threefold, decisions: Decisions): [string, Token] {
  const side = sideOf(three, decisions);
  if (side === undefined) return ["? mine or theirs", "warn"];
  return side === "mine" ? ["✓ mine", "good"] : ["✓ theirs", "good"];
}

function valueLines(value: unknown, width: number): string[] {
  if (value === undefined) return ["(not there)"];
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return wrapText(text === "" ? "(empty)" : text, width);
}

/** What was, mine and theirs of one property, as lines. */
function threeLines(three: Threefold, width: number, decisions: Decisions): StyledLine[] {
  const side = sideOf(three, decisions);
  const parts: [string, unknown, Token][] = [
    ["base", three.base, "quiet"],
    ["mine", three.mine, side === "mine" ? "good" : "text"],
    ["theirs", three.theirs, side === "theirs" ? "good" : "text"],
  ];
  if (width < sideBySideFrom) {
    return parts.flatMap(([title, value, as]): StyledLine[] =>
      valueLines(value, width - 10).map((line, index) => [
        { text: ` ${fitText(index === 0 ? title : "", 8)}`, as: "heading" },
        { text: line, as },
      ]),
    );
  }
  const column = Math.floor((width - 2) / 3);
  const columns = parts.map(([, value]) => valueLines(value, column - 2));
  const tallest = Math.max(...columns.map((lines) => lines.length));
  return [
    parts.map(([title]) => ({ text: fitText(` ${title.toUpperCase()}`, column), as: "heading" })),
    ...Array.from({ length: tallest }, (_, row): StyledLine =>
      parts.map(([, , as], index) => ({
        text: fitText(` ${columns[index]?.[row] ?? ""}`, column),
        as,
      })),
    ),
  ];
}

/** A record that somebody else saved meanwhile: what differs, and whose of it is kept. */
export function ConflictView(props: ConflictViewProps) {
  const { session, active, width, height, onChange, onSave } = props;
  const { conflict } = session;
  const threes = threesOf(session);
  const decisions = conflict?.decisions ?? nothingDecided;
  const rows = listHeight(threes, height);
  const cursor = settle({ index: session.row, top: 0 }, threes.length, rows);
  const move = (step: number) =>
    onChange((now) => ({
      ...now,
      row: Math.max(0, Math.min(now.row + step, threesOf(now).length - 1)),
    }));
  useKeys(
    "conflict",
    {
      up: (count) => move(-count),
      down: (count) => move(count),
      takeMine: () => onChange((now) => decide(now, "mine", "this")),
      takeTheirs: () => onChange((now) => decide(now, "theirs", "this")),
      takeAllMine: () => onChange((now) => decide(now, "mine", "all")),
      takeAllTheirs: () => onChange((now) => decide(now, "theirs", "all")),
      editField: () => onChange(editDecided),
      save: onSave,
      close: () => onChange((now) => ({ ...now, comparing: false })),
    },
    { active },
  );
  const selected = threes[cursor.index];
  const said = `Somebody saved version ${conflict?.theirs.version ?? ""} while you were at version ${session.version ?? ""}.`;
  const name = Math.min(28, Math.floor(width / 3));
  return (
    <Area height={height}>
      <Line as="warn">{fitText(` ${said}`, width)}</Line>
      <Area height={rows}>
        {threes.slice(cursor.top, cursor.top + rows).map((three, offset) => {
          const isSelected = cursor.top + offset === cursor.index;
          const [words, as] = decisionWords(three, decisions);
          const left = `${isSelected ? " ▸" : "  "} ${fitText(headingOf(three.name), name)}  `;
          const middle = fitText(by[three.changedBy], 17);
          if (isSelected) {
            return (
              <Line key={three.name} as="selected">
                {fitText(`${left}${middle}${words}`, width)}
              </Line>
            );
          }
          return (
            <Box key={three.name} height={1} flexShrink={0}>
              <Line>{left}</Line>
              <Line as="quiet">{middle}</Line>
              <Line as={as}>{words}</Line>
            </Box>
          );
        })}
      </Area>
      <Line> </Line>
      <TextLines
        lines={selected === undefined ? [] : threeLines(selected, width, decisions)}
        top={0}
        width={width}
        height={Math.max(0, height - rows - 2)}
      />
    </Area>
  );
}

function listHeight(threes: readonly Threefold[], height: number): number {
  return Math.max(1, Math.min(threes.length, longestList, Math.floor((height - 2) / 2)));
}
