import type { TextRun } from "./pdf-runs.ts";
import type { Operators, PdfPage } from "./pdf-picture.ts";

/** Single letters with spaces between them; four of them make a look at the drawing worthwhile. */
const spaced = /^\S(?: \S)+$/u;
const clearlySpaced = /^\S(?: \S){3,}$/u;
/** A gap that is this many times the usual one separates two words, if it is not a small one. */
const widerGap = 1.6;
/** The gap within a word, in thousandths of the size of its letters. */
const smallGap = 200;

/**
 * Joins the letters of words that are set wide, such as headings: the library takes each of their
 * gaps for a space. The page's drawing has the letters and the spaces that the file has.
 */
export async function joinSpacedLetters<Run extends TextRun>(
  page: PdfPage,
  runs: readonly Run[],
  operators: Operators,
): Promise<readonly Run[]> {
  if (!runs.some(({ text }) => clearlySpaced.test(text.trim()))) return runs;
  const { fnArray, argsArray } = await page.getOperatorList();
  const drawn = fnArray.map((operator, index) => {
    const args: unknown = argsArray[index];
    return operator === operators.showText && Array.isArray(args) ? shownText(args[0]) : "";
  });
  const text = [...drawn, ...lettersOneByOne(fnArray, argsArray, operators)].join("\n");
  return runs.map((run) => {
    const word = run.text.replaceAll(" ", "");
    return spaced.test(run.text.trim()) && text.includes(word) ? { ...run, text: word } : run;
  });
}

/** Equal gaps of letters that are drawn one by one differ by less, in thousandths of their size. */
const equalWithin = 20;
const widestGap = 1_200;

/** Texts whose letters are drawn one by one with equal gaps, as browsers draw letters set wide. */
function lettersOneByOne(
  fnArray: readonly number[],
  argsArray: readonly unknown[],
  operators: Operators,
): string[] {
  const texts: string[] = [];
  let text = "";
  let size = 0;
  let width: number | undefined;
  let usual: number | undefined;
  const finish = (): void => {
    if (text.length > 1) texts.push(text);
    text = "";
    width = usual = undefined;
  };
  for (const [index, operator] of fnArray.entries()) {
    const args: readonly unknown[] = Array.isArray(argsArray[index]) ? argsArray[index] : [];
    const [glyph, ...others]: readonly unknown[] = Array.isArray(args[0]) ? args[0] : [];
    if (operator === operators.setFont) size = Number(args[1]) || 1;
    else if (operator === operators.moveText && width !== undefined && args[1] === 0) {
      const gap = (Number(args[0]) / Math.abs(size)) * 1000 - width;
      if (gap < 0 || gap > widestGap || Math.abs(gap - (usual ?? gap)) > equalWithin) finish();
      else usual = gap;
      width = undefined;
    } else if (operator === operators.showText && others.length === 0 && isLetter(glyph)) {
      if (width !== undefined) finish();
      text += glyph.unicode;
      ({ width } = glyph);
    } else finish();
  }
  finish();
  return texts;
}

function isLetter(glyph: unknown): glyph is { readonly unicode: string; readonly width: number } {
  if (typeof glyph !== "object" || glyph === null) return false;
  const { unicode, width } = glyph as { readonly unicode?: unknown; readonly width?: unknown };
  return typeof unicode === "string" && typeof width === "number";
}

/** The letters of one drawing, with a space where the file has one, or a gap that stands out. */
function shownText(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return "";
  const items: readonly unknown[] = glyphs;
  const gaps = items.filter((item) => typeof item === "number" && item < 0).map(Number);
  const usual = -(gaps.toSorted((one, other) => other - one)[gaps.length >> 1] ?? 0);
  const parts = items.map((item) => {
    if (typeof item === "number") return -item > Math.max(smallGap, widerGap * usual) ? " " : "";
    if (typeof item !== "object" || item === null || !("unicode" in item)) return "";
    return typeof item.unicode === "string" ? item.unicode : "";
  });
  return parts.join("").replace(/\s+/g, " ").trim();
}
