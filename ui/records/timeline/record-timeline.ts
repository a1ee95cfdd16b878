import type { HistoryItem, ObjectType, Resource } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { dueDistance, hasMeaning, isClosed } from "../../kit/data-fields/meaning.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { clipText, fitText, textWidth } from "../../kit/text/text-layout.ts";
import { distanceWords, localTimeWords } from "../../kit/text/words.ts";
import type { Token } from "../../kit/theme/skin.ts";
import type { NameOf } from "../../shell/platform/names.ts";
import { actorOf, differencesOf, differenceWords } from "../detail/record-history.ts";

/** A date of a record, or a write to it. */
export interface Moment {
  /** An ISO date or time. */
  readonly at: string;
  readonly glyph: string;
  readonly as: Token;
  readonly words: string;
  /** The property of a date; undefined for a write. */
  readonly name?: string;
}

const timeWidth = "2026-11-22 18:05".length;
const shortestAxis = 30;

function msOf({ at }: Moment): number {
  return Date.parse(at);
}

/** The dates among the properties of a record; the due one has the sign of its urgency. */
function datesOf(type: ObjectType, { data }: Resource, nowMs: number): Moment[] {
  return Object.entries(dataFields(type)).flatMap(([name, property]): Moment[] => {
    const at = data[name];
    const isDate = property.type === "date" || property.type === "datetime";
    if (!isDate || typeof at !== "string" || Number.isNaN(Date.parse(at))) return [];
    const words = headingOf(name);
    if (!hasMeaning(property, "due")) return [{ at, name, words, glyph: "●", as: "key" }];
    const { token = "text", text } = dueDistance(at, nowMs, isClosed(type, data));
    return [{ at, name, words, glyph: /[▲!]$/.exec(text)?.[0] ?? "◌", as: token }];
  });
}

function writeOf(item: HistoryItem, nameOf: NameOf): Moment {
  const actor = actorOf(item, nameOf);
  const by = actor === "" ? "" : ` by ${actor}`;
  const what =
    item.operation === "update" || item.operation === "updated"
      ? differenceWords(differencesOf(item.changes))
      : item.operation;
  const words = `v${item.version} ${what}${by}`;
  return { at: item.at, glyph: "·", as: "quiet", words };
}

/** The dates of a record and the writes to it, the earliest first. */
export function momentsOf(
  type: ObjectType,
  record: Resource,
  {
    versions,
    nowMs,
    nameOf,
  }: {
    readonly versions: readonly HistoryItem[];
    readonly nowMs: number;
    readonly nameOf: NameOf;
  },
): Moment[] {
  const writes = versions
    .filter(({ at }) => !Number.isNaN(Date.parse(at)))
    .map((item) => writeOf(item, nameOf));
  return [...datesOf(type, record, nowMs), ...writes].toSorted((a, b) => msOf(a) - msOf(b));
}

/** The dates on a line of time with today, and below it the names that have room. */
export function axisLines(
  moments: readonly Moment[],
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
): StyledLine[] {
  const today: Moment = {
    at: new Date(nowMs).toISOString(),
    glyph: "○",
    as: "title",
    words: "today",
    name: "today",
  };
  const dates = [...moments.filter(({ name }) => name !== undefined), today].toSorted(
    (a, b) => msOf(a) - msOf(b),
  );
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined || first === last || width < shortestAxis)
    return [];
  const [from, to] = [msOf(first), Math.max(msOf(last), msOf(first) + 1)];
  const room = width - textWidth(last.words);
  const columnOf = (moment: Moment) =>
    Math.round(((msOf(moment) - from) / (to - from)) * (room - 1));
  const axis: { text: string; as: Token }[] = [];
  const names: { text: string; as: Token }[] = [];
  let [drawn, named] = [0, 0];
  for (const [index, moment] of dates.entries()) {
    const column = columnOf(moment);
    const { glyph, as, words } = moment;
    if (column >= drawn) {
      axis.push({ text: "─".repeat(column - drawn), as: "border" }, { text: glyph, as });
      drawn = column + 1;
    }
    const next = dates[index + 1];
    const free = next === undefined ? width - column : columnOf(next) - column;
    if (column < named || free <= textWidth(words)) continue;
    names.push({ text: " ".repeat(column - named) + words, as });
    named = column + textWidth(words);
  }
  return [axis, names];
}

/** Each moment with its time and distance, with a line for today between them. */
export function momentLines(
  moments: readonly Moment[],
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
): StyledLine[] {
  const later = moments.findIndex((moment) => msOf(moment) > nowMs);
  const lines = moments.map(({ at, glyph, as, words }): StyledLine => {
    const time = at.length > "2026-11-22".length ? localTimeWords(Date.parse(at)) : at;
    const distance = distanceWords(at, nowMs);
    const room = Math.max(1, width - timeWidth - 4 - textWidth(distance) - 2);
    return [
      { text: `${fitText(time, timeWidth)}  `, as: "quiet" },
      { text: `${glyph} `, as },
      { text: fitText(clipText(words.replaceAll(/\s+/g, " "), room), room) },
      { text: `  ${distance}`, as: "quiet" },
    ];
  });
  const rule = "─".repeat(Math.max(0, width - timeWidth - textWidth("today") - 1));
  const today: StyledLine = [
    { text: `${fitText("", timeWidth - 2)}── `, as: "border" },
    { text: "today ", as: "title" },
    { text: rule.slice(1), as: "border" },
  ];
  const at = later === -1 ? lines.length : later;
  return [...lines.slice(0, at), today, ...lines.slice(at)];
}
