import { failureReason, type Failure } from "../../kit/answers/failure.ts";
import type { AnyHandlers } from "../../kit/keys/key-bindings.ts";
import type { KeyFacts } from "../../kit/keys/reasons.ts";
import type { CommandWords } from "../../kit/places/action.ts";
import type { Span, StyledLine } from "../../kit/text/styled-lines.ts";
import { clipText, fitText, textWidth } from "../../kit/text/text-layout.ts";
import { shareBar } from "../../kit/text/words.ts";

/** A line of home: a figure, and the list that it opens. */
export interface HomeRow {
  /** The name of the row, unique on the screen. */
  readonly id: string;
  /** The line in exactly `width` columns. */
  readonly draw: (width: number) => StyledLine;
  /** A row without it can't be selected. */
  readonly open?: (() => void) | undefined;
  /** The command that shows the same. */
  readonly command?: CommandWords | undefined;
  /** Further keys of the place while the row is selected. */
  readonly handlers?: AnyHandlers | undefined;
  readonly facts?: KeyFacts | undefined;
}

/** The part of a noun in home. */
export interface HomePart {
  readonly rows: readonly HomeRow[];
  /** Further rows, as many as the column has room for. */
  readonly more?: readonly HomeRow[];
  /** True for a part that the middle of three columns has; two columns have it in its place. */
  readonly isMiddle?: boolean;
  /** True for what waits for a person: a screen of one column shows it after the first figures. */
  readonly isUrgent?: boolean;
  /** False if the noun has nothing in this workspace; undefined until that is known. */
  readonly isFilled?: boolean | undefined;
  /** The first step with this noun, which an empty workspace shows in place of the rows. */
  readonly step?: HomeRow | undefined;
}

/** A row in parts; each text is clipped to the columns that the others leave. */
export interface RowParts extends Omit<HomeRow, "draw"> {
  /** The parts, which may depend on the columns that the right end leaves. */
  readonly left: StyledLine | ((width: number) => StyledLine);
  /** Parts at the right end, which are dropped from the last one on where there is no room. */
  readonly right?: StyledLine | ((width: number) => StyledLine);
  /** A bar between both: its length relative to the longest one, between 0 and 1. */
  readonly bar?: { readonly share: number; readonly as?: Span["as"] } | undefined;
}

const nameWidth = 18;
const narrowestBar = 6;
const widestBar = 60;
const leastLeft = 12;

function widthOf(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The spans in exactly `width` columns. */
function fitLine(line: StyledLine, width: number): Span[] {
  const fitted: Span[] = [];
  let room = width;
  for (const span of line) {
    const text = clipText(span.text, room);
    const blanks = /\s*$/.exec(span.text)?.[0].length ?? 0;
    const kept = fitText(span.text, Math.min(room, textWidth(text) + blanks));
    if (kept === "") continue;
    fitted.push({ ...span, text: kept });
    room -= textWidth(kept);
  }
  return room > 0 ? [...fitted, { text: " ".repeat(room) }] : fitted;
}

export function homeRow({ left, right = [], bar, ...row }: RowParts): HomeRow {
  const at = (width: number) => (typeof left === "function" ? left(width) : left);
  const draw = (width: number): StyledLine => {
    let end = typeof right === "function" ? [...right(width)] : [...right];
    while (end.length > 1 && widthOf(end) + leastLeft > width) end = end.slice(0, -1);
    const room = Math.max(0, width - widthOf(end));
    const barRoom = Math.min(widestBar, room - nameWidth - 2);
    if (bar === undefined || barRoom < narrowestBar) return [...fitLine(at(room), room), ...end];
    const drawn = shareBar(bar.share, barRoom);
    const name = fitLine(at(nameWidth), nameWidth);
    const rest = room - nameWidth - 1 - drawn.length;
    return [
      ...name,
      { text: " " },
      { text: drawn, as: bar.as ?? "focus" },
      { text: " ".repeat(Math.max(0, rest)) },
      ...end,
    ];
  };
  return { ...row, draw };
}

/** The name of a group of rows, with its figures. */
export function headingRow(title: string, row: Omit<RowParts, "left">): HomeRow {
  return homeRow({ ...row, left: [{ text: ` ${title.toUpperCase()}`, as: "heading" }] });
}

/** A line of text that can't be selected. */
export function wordsRow(id: string, text: string, as: Span["as"] = "quiet"): HomeRow {
  return homeRow({ id, left: [{ text: `   ${text}`, as }] });
}

/** The part of a noun whose answer has not come; a platform without the route has none. */
export function unansweredRows(title: string, failure: Failure | undefined): readonly HomeRow[] {
  if (failure === undefined) return [headingRow(title, { id: title, right: [{ text: "… " }] })];
  if (failure.isMissingRoute) return [];
  const id = `${title} failed`;
  return [headingRow(title, { id: title }), wordsRow(id, `✗ ${failureReason(failure)}`, "bad")];
}
