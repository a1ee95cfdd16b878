import type { Token } from "../theme/skin.ts";
import { textLines, type StyledLine } from "./styled-lines.ts";
import { cellText } from "#lib/text/terminal.ts";
import { fitText, textWidth } from "./text-layout.ts";
import { clockWords, countWords, durationWords } from "./words.ts";

/** One step of some work, with the times that are known. */
export interface TimelineStep {
  readonly name: string;
  readonly glyph: string;
  readonly as: Token;
  /** The state, and how far it is. */
  readonly words: string;
  readonly startedAt: string | null | undefined;
  readonly finishedAt: string | null | undefined;
  /** The units that were done, with their name: their number and rate are shown. */
  readonly amount?: { readonly done: number; readonly unit: string } | undefined;
  readonly note?: string | undefined;
  readonly problem?: string | undefined;
}

const maximumNameWidth = 24;
const minimumWordsWidth = 12;
/** A narrower area has no bars. */
const minimumBarWidth = 12;
const maximumBarWidth = 48;
const timeWidth = 10;
/** Columns that a duration needs in any case. */
const leastNote = 10;
const noteWidth = 22;

const minuteMs = 60_000;

interface Period {
  readonly from: number;
  readonly to: number;
}

function periodOf(step: TimelineStep, nowMs: number): Period | undefined {
  const from = Date.parse(step.startedAt ?? "");
  if (Number.isNaN(from)) return undefined;
  const to = Date.parse(step.finishedAt ?? "");
  return { from, to: Math.max(from, Number.isNaN(to) ? nowMs : to) };
}

function tookWords({ from, to }: Period): string {
  const tookMs = to - from;
  if (tookMs < 1_000) return `${Math.round(tookMs)} ms`;
  return tookMs < minuteMs ? `${(tookMs / 1_000).toFixed(1)} s` : durationWords(tookMs);
}

/** `228 passages, 79/s`; without a rate where there is no time to divide by. */
function amountWords(amount: TimelineStep["amount"], period: Period | undefined): string {
  if (amount === undefined || amount.done === 0) return "";
  const seconds = period === undefined ? 0 : (period.to - period.from) / 1_000;
  const rate = seconds === 0 ? "" : `, ${countWords(Math.round(amount.done / seconds))}/s`;
  const unit = amount.done === 1 ? amount.unit.replace(/s$/, "") : amount.unit;
  return `${countWords(amount.done)} ${unit}${rate}`;
}

/** The part of the whole time that a step took, as a bar; at least one column. */
function barOf(period: Period | undefined, whole: Period, width: number): string {
  if (period === undefined) return " ".repeat(width);
  const share = (at: number) => (at - whole.from) / Math.max(1, whole.to - whole.from);
  const start = Math.min(width - 1, Math.floor(share(period.from) * width));
  const end = Math.max(start + 1, Math.round(share(period.to) * width));
  return `${" ".repeat(start)}${"━".repeat(end - start)}${" ".repeat(width - end)}`;
}

/** The parts with two blanks between them; those that do not fit whole are left out. */
function noteOf(parts: readonly string[], room: number): string {
  const [first = "", ...others] = parts.filter((text) => text !== "");
  const fits = (text: string) => textWidth(cellText(text)) <= room;
  return others.reduce((all, part) => {
    const more = `${all}  ${part}`;
    return fits(more) ? more : all;
  }, ` ${first}`);
}

/** Steps one below the other: state, start, a bar on a common scale of time, and duration. */
export function timelineLines(
  steps: readonly TimelineStep[],
  width: number,
  nowMs: number,
): StyledLine[] {
  const periods = steps.map((step) => periodOf(step, nowMs));
  const known = periods.filter((period) => period !== undefined);
  const whole = {
    from: Math.min(...known.map(({ from }) => from)),
    to: Math.max(...known.map(({ to }) => to)),
  };
  const widest = (texts: readonly string[], least: number) =>
    texts.reduce((most, text) => Math.max(most, textWidth(cellText(text))), least);
  const names = steps.map(({ name }) => name);
  const nameWidth = Math.min(maximumNameWidth, widest(names, 0));
  const wordsWidth = widest(
    steps.map(({ words }) => words),
    minimumWordsWidth,
  );
  const named = 3 + nameWidth + 2;
  // The duration says more than the clock time, and the glyph as much as the words.
  const clockWidth = named + wordsWidth + timeWidth + leastNote <= width ? timeWidth : 0;
  const stateWidth = named + wordsWidth + clockWidth + leastNote <= width ? wordsWidth : 0;
  const left = named + stateWidth + clockWidth;
  const room = width - left - noteWidth;
  const barWidth = Math.min(maximumBarWidth, room);
  const noteRoom = width - left - (barWidth >= minimumBarWidth ? barWidth : 0);
  const lines = steps.flatMap((step, index): StyledLine[] => {
    const { glyph, as, words, note = "", problem } = step;
    const period = periods[index];
    const took = period === undefined ? "" : tookWords(period);
    const amount = amountWords(step.amount, period);
    const line: StyledLine = [
      { text: ` ${glyph} ${fitText(step.name, nameWidth)}  `, as },
      { text: fitText(words, stateWidth) },
      {
        text: fitText(period === undefined ? "" : ` ${clockWords(period.from)}`, clockWidth),
        as: "quiet",
      },
      ...(barWidth >= minimumBarWidth ? [{ text: barOf(period, whole, barWidth), as }] : []),
      { text: noteOf([took, amount, note], noteRoom), as: "quiet" },
    ];
    if (problem === undefined || problem === "") return [line];
    const problems = textLines(problem, width - 6, "bad");
    return [line, ...problems.map((part) => [{ text: "     " }, ...part])];
  });
  if (known.length < 2) return lines;
  const bar = barWidth >= minimumBarWidth ? barWidth : 0;
  const total = noteOf([tookWords(whole), "total"], noteRoom);
  return [...lines, [{ text: " ".repeat(left + bar) }, { text: total, as: "quiet" }]];
}
