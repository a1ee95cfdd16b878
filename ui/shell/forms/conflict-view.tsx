import type { ShellKeys } from "../keys.ts";
import { sideOf, type Decisions, type ThreeVersions } from "../../kit/forms/merge.ts";
import { comparisonLines } from "../../kit/forms/comparison-lines.ts";
import {
  decide,
  editDecided,
  differencesOf,
  type FormSession,
} from "../../kit/forms/form-session.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { memberNamesPart } from "../platform/member-names.ts";
import { useNames } from "../platform/names.ts";
import { settle } from "../../kit/cursor/list-cursor.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText } from "../../kit/text/text-layout.ts";
import type { Token } from "../../kit/theme/skin.ts";
import { Area, Line } from "../../kit/theme/paint.tsx";
import { TextLines } from "../../kit/text/text-lines.tsx";

const longestList = 8;
const nothingDecided: Decisions = new Map();

const changedBy = {
  me: "changed by you",
  them: "changed by them",
  both: "changed by both",
} as const;

function decisionWords(three: ThreeVersions, decisions: Decisions): [string, Token] {
  const side = sideOf(three, decisions);
  if (side === undefined) return ["? mine or theirs", "warn"];
  return side === "mine" ? ["✓ mine", "good"] : ["✓ theirs", "good"];
}

/** The differences of a form to a newer version of its record, and the value to save for each. */
export function ConflictView(props: {
  readonly session: FormSession;
  readonly active: boolean;
  readonly width: number;
  readonly height: number;
  readonly onChange: (next: (now: FormSession) => FormSession) => void;
  readonly onSave: () => void;
}) {
  const { session, active, width, height, onChange, onSave } = props;
  const { conflict } = session;
  const by = conflict?.theirs.by ?? "";
  const name = useNames(memberNamesPart, [by])(by) ?? by;
  // An id means nothing to a reader.
  const who = name === by ? "Another user" : name;
  const threes = differencesOf(session);
  const decisions = conflict?.decisions ?? nothingDecided;
  const rows = listHeight(threes, height);
  const cursor = settle({ index: session.row, top: 0 }, threes.length, rows);
  const move = (step: number) =>
    onChange((now) => ({
      ...now,
      row: Math.max(0, Math.min(now.row + step, differencesOf(now).length - 1)),
    }));
  useKeys<ShellKeys>(
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
  const side = selected && sideOf(selected, decisions);
  const room = Math.max(0, height - rows - 2);
  const values =
    selected === undefined ? [] : comparisonLines(selected, side, { width, height: room });
  const head = `${who} saved version ${conflict?.theirs.version ?? ""} while you were at version ${session.version ?? ""}.`;
  return (
    <Area height={height}>
      <Line as="warn">{fitText(` ${head}`, width)}</Line>
      <TextLines
        lines={threes.map((three, index) =>
          listLine(three, index === cursor.index, width, decisions),
        )}
        top={cursor.top}
        width={width}
        height={rows}
      />
      <Line> </Line>
      <TextLines lines={values} top={0} width={width} height={room} />
    </Area>
  );
}

function listLine(
  three: ThreeVersions,
  isSelected: boolean,
  width: number,
  decisions: Decisions,
): StyledLine {
  const [words, as] = decisionWords(three, decisions);
  const name = fitText(headingOf(three.name), Math.min(28, Math.floor(width / 3)));
  const left = `${isSelected ? " ▸" : "  "} ${name}  `;
  const middle = fitText(changedBy[three.changedBy], 17);
  if (isSelected) return [{ text: fitText(`${left}${middle}${words}`, width), as: "selected" }];
  return [{ text: left }, { text: middle, as: "quiet" }, { text: words, as }];
}

function listHeight(threes: readonly ThreeVersions[], height: number): number {
  return Math.max(1, Math.min(threes.length, longestList, Math.floor((height - 2) / 2)));
}
