import { stripVTControlCharacters } from "node:util";

/** Signs that a reader would spell out, and what they stand for; borders and bars are dropped. */
const words: readonly (readonly [RegExp, string])[] = [
  [/[┌┐└┘├┤┬┴┼┏┓┗┛│┃]/g, "  "],
  [/[─━]{2,}/g, "  "],
  [/[▀-▟⠀-⣿]+/g, " "],
  [/↵/g, "enter"],
  [/⇧/g, "shift+"],
  [/\^(?=[a-z]\b)/g, "ctrl+"],
  [/›/g, ">"],
  [/[▸▾▏]/g, " "],
];

/** The lines of a frame as one reads them aloud: without borders, blanks and empty lines. */
export function frameLines(frame: string): string[] {
  return stripVTControlCharacters(frame)
    .split("\n")
    .map((line) => {
      let text = line;
      for (const [sign, word] of words) text = text.replaceAll(sign, word);
      // A title has single lines between its facts.
      return text
        .replaceAll(/ [─━] /g, "  ")
        .trim()
        .replaceAll(/ {2,}/g, ", ")
        .replace(/^(\d+\.), /, "$1 ");
    })
    .filter((line) => /[\p{L}\p{N}?!]/u.test(line));
}

/** The number and the state at the beginning of a row. */
const numbered = /^(\d+)\. (selected\b)?(?: ?\b(?:marked|new|gone)\b)*,? ?/;
const ages = /\b(?:now|in \d+[smhdw]|\d+[smhdw])\b/g;

/** The line without what changes by itself: its number, its state and ages. */
function identity(line: string): string {
  return line.replace(numbered, "").replaceAll(ages, "");
}

const isSelected = (line: string) => numbered.exec(line)?.[2] !== undefined;

/** The lines that say something new after the lines of the frame before. */
export function newLines(before: readonly string[], after: readonly string[]): string[] {
  const known = new Map<string, string[]>();
  for (const line of before) {
    const same = known.get(identity(line));
    if (same === undefined) known.set(identity(line), [line]);
    else same.push(line);
  }
  return after.filter((line) => {
    const earlier = known.get(identity(line))?.shift();
    return earlier === undefined || (isSelected(line) && !isSelected(earlier));
  });
}

/** The lines above the part that has the focus: where one is, and the places. */
const aboveLines = 2;
/** The first lines of that part, which say what it is. */
const titleLines = 2;

/** The answer to a line of the user: another or a filtered list is read whole. */
export function answerLines(before: readonly string[], after: readonly string[]): string[] {
  const fresh = newLines(before, after);
  const titles = after.slice(aboveLines, aboveLines + titleLines);
  if (!titles.some((line) => !numbered.test(line) && fresh.includes(line))) return fresh;
  return after.filter((line, index) => index >= aboveLines || fresh.includes(line));
}

/** The number of the selected row of a frame, or else that of its first row. */
export function selectedNumber(lines: readonly string[]): number | undefined {
  const line = lines.find(isSelected) ?? lines.find((one) => numbered.test(one));
  const number = line === undefined ? undefined : numbered.exec(line)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** True if a row of the frame has this number. */
export function hasNumber(lines: readonly string[], number: number): boolean {
  return lines.some((line) => line.startsWith(`${number}. `));
}
