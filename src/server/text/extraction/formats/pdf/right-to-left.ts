/** A run of a line, as far as its order needs it. */
interface DrawnRun {
  readonly text: string;
  readonly x: number;
  readonly endsLine: boolean;
  readonly isRightToLeft?: boolean;
}

interface PlacedRun extends DrawnRun {
  readonly width: number;
  readonly size: number;
}

/**
 * A wider gap, in letter sizes, separates two words, where the order of the runs has no space
 * between them.
 */
export const wordGap = 0.15;

/** Letters in the form that they have at their place in a word, as some files store them. */
const placedForms = /[\ufb1d-\ufdfb\ufe70-\ufefc]+/g;
const strong = /[\p{L}\p{N}]/u;

/** Hebrew and Arabic letters as keyboards write them, whatever their form in the file is. */
export function plainLetters(text: string): string {
  return text.replaceAll(placedForms, (letters) => letters.normalize("NFKC"));
}

/**
 * A line whose letters go from right to left, in the order in which it is read: many programs draw
 * it from the left. Names and numbers within it keep their order. Other lines stay as they are.
 */
export function fromRight<Run extends DrawnRun>(line: readonly Run[]): readonly Run[] {
  if (!line.some((run) => run.isRightToLeft === true)) return line;
  const letters = (isOf: boolean): number =>
    line.reduce(
      (sum, run) => sum + ((run.isRightToLeft ?? false) === isOf ? lettersOf(run) : 0),
      0,
    );
  if (letters(true) <= letters(false) || !isDrawnFromLeft(line)) return line;
  const ordered: Run[] = [];
  let leftToRight: Run[] = [];
  const finish = (): void => {
    // Spaces at the end of such a part belong to the line around it.
    const last = leftToRight.findLastIndex(({ text }) => strong.test(text));
    ordered.push(...leftToRight.slice(0, last + 1).toReversed(), ...leftToRight.slice(last + 1));
    leftToRight = [];
  };
  for (const run of line.toReversed()) {
    if (run.isRightToLeft === true) {
      finish();
      ordered.push(run);
    } else if (leftToRight.length > 0 || strong.test(run.text)) leftToRight.push(run);
    else ordered.push(run);
  }
  finish();
  const end = ordered.length - 1;
  return ordered.map((run, index) => ({
    ...run,
    endsLine: index === end && line.some(({ endsLine }) => endsLine),
  }));
}

/**
 * A line with letters from right to left, with a space at each gap between two of its words: such
 * lines change their direction at each name and number, and their files lack the spaces there.
 */
export function spacedFromRight<Run extends PlacedRun>(line: readonly Run[]): readonly Run[] {
  if (line.length < 2 || !line.some((run) => run.isRightToLeft === true)) return line;
  return line.map((run, index) => {
    const next = line[index + 1];
    if (next === undefined || /\s$/.test(run.text) || /^\s|^$/.test(next.text)) return run;
    // A mark that was drawn apart or a number may stand between them.
    const near = line
      .slice(Math.max(0, index - 3), index + 5)
      .filter(({ text }) => text.trim() !== "");
    const most = wordGap * run.size;
    const isWord = gapFacing(run, next, near) > most || gapFacing(next, run, near) > most;
    return isWord ? { ...run, text: `${run.text} ` } : run;
  });
}

/** The gap between a run and the nearest one on the side of another; below 0 if they overlap. */
function gapFacing(from: PlacedRun, to: PlacedRun, near: readonly PlacedRun[]): number {
  const others = near.filter((other) => other !== from);
  if (to.x < from.x) {
    const ends = others.filter(({ x }) => x < from.x).map(({ x, width }) => x + width);
    return from.x - Math.max(...ends);
  }
  const end = from.x + from.width;
  const starts = others.filter(({ x, width }) => x + width > end).map(({ x }) => x);
  return Math.min(...starts) - end;
}

function lettersOf({ text }: DrawnRun): number {
  return text.replaceAll(/[\s\d]/g, "").length;
}

function isDrawnFromLeft(line: readonly DrawnRun[]): boolean {
  const written = line.filter(({ text }) => text.trim() !== "");
  const steps = written.slice(1).map((run, index) => run.x - (written[index]?.x ?? 0));
  return steps.length > 0 && steps.every((step) => step > 0);
}
