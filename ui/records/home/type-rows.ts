import type { ObjectType } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import type { DueFilters } from "../../kit/data-fields/due-filters.ts";
import { statusOf } from "../../kit/data-fields/meaning.ts";
import type { SortMark } from "../../kit/table/columns.ts";
import { sparkText } from "../../kit/text/spark.ts";
import { countWords } from "../../kit/text/words.ts";
import { headingRow, homeRow, type HomePart, type HomeRow } from "../../shell/home/home-rows.ts";
import { barsOf, countOfRecords, filterOfBar } from "../bars/bars.ts";
import type { TypeFigures } from "./use-type-figures.ts";

const shownStates = 6;

/** The columns of one week in a heading. */
function sparkStep(width: number): number {
  if (width < 50) return 1;
  return width < 70 ? 2 : 3;
}

export interface TypeRows {
  readonly type: ObjectType;
  readonly status: string | undefined;
  readonly figures: TypeFigures | null | undefined;
  /** New records by week, oldest first, without the last 7 days. */
  readonly weeks: readonly number[] | undefined;
  readonly due: DueFilters | undefined;
  /** Opens the records of the type that match a typed filter; all without one. */
  readonly show: (filter?: string, sort?: SortMark) => void;
}

/** The name of a type for a reader. */
export function typeName({ displayName, name }: ObjectType): string {
  return displayName ?? name;
}

function dueRow(
  { type, show }: TypeRows,
  name: "overdue" | "soon",
  value: number | null,
  due: DueFilters,
): HomeRow {
  const [words, sign, as] =
    name === "overdue"
      ? (["overdue", " ▲", "bad"] as const)
      : (["due in 7 days", " !", "warn"] as const);
  const none = value === 0;
  return homeRow({
    id: `${type.slug} ${name}`,
    left: [{ text: `   ${words}`, as: none ? "quiet" : as }],
    right: [
      {
        text: `${value === null ? "?" : countWords(value)}${none ? "  " : sign} `,
        as: none ? "quiet" : as,
      },
    ],
    open: () => show(due[name], { id: due.name, descending: false }),
    command: [["resources", "list", type.slug]],
  });
}

function stateRows({ type, status, figures, show }: TypeRows): HomeRow[] {
  if (status === undefined || figures?.states === undefined || figures.states === null) return [];
  const property = dataFields(type)[status];
  return barsOf(figures.states, { field: status }, countOfRecords).bars.map((bar) => {
    const { glyph, token } = statusOf(property, bar.words);
    return homeRow({
      id: `${type.slug} state ${JSON.stringify(bar.group)}`,
      left: [{ text: `   ${glyph} `, as: token }, { text: bar.words }],
      bar: { share: bar.length, as: token === "text" || token === "quiet" ? "border" : token },
      right: [{ text: ` ${bar.valueWords}   ` }],
      open: () => show(filterOfBar("", dataFields(type), status, bar)),
      command: [["resources", "list", type.slug]],
    });
  });
}

/** The figures of one type: its number with the last weeks, what is due, and its states. */
export function typeRows(rows: TypeRows): Pick<HomePart, "rows" | "more"> {
  const { type, figures, weeks, due, show } = rows;
  const recent = figures?.recent ?? undefined;
  const all = type.recordCount === undefined ? "" : countWords(type.recordCount);
  const heading = headingRow(typeName(type), {
    id: `type ${type.slug}`,
    right: (width) => [
      { text: ` ${all}` },
      ...(weeks === undefined || recent === undefined
        ? []
        : [{ text: ` ${sparkText([...weeks, recent], sparkStep(width))}`, as: "focus" } as const]),
      ...(recent === undefined || recent === 0
        ? []
        : [{ text: ` +${countWords(recent)}`, as: "quiet" } as const]),
      { text: " " },
    ],
    open: () => show(),
    command: [["resources", "list", type.slug]],
  });
  if (figures === undefined || figures === null) return { rows: [heading] };
  const dues =
    due === undefined
      ? []
      : [dueRow(rows, "overdue", figures.overdue, due), dueRow(rows, "soon", figures.soon, due)];
  const states = stateRows(rows);
  return {
    rows: [heading, ...dues, ...states.slice(0, shownStates)],
    more: states.slice(shownStates),
  };
}
