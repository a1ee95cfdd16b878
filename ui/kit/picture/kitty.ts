/**
 * Pictures in kitty's graphics protocol with placeholders: the terminal draws the picture over
 * characters of the screen, so that whatever covers or moves them does so with the picture too.
 */

const placeholder = "\u{10eeee}";
/** The longest base64 of one sequence. */
const pieceLength = 4_096;

/** The first marks that number rows and columns of placeholders, as ranges of code points. */
const marks: readonly string[] = (
  "305 30d-30e 310 312 33d-33f 346 34a-34c 350-352 357 35b 363-36f 483-487 592-595 597-599 " +
  "59c-5a1 5a8-5a9 5ab-5ac 5af 5c4 610-617 657-65b 65d-65e 6d6-6dc 6df-6e2 6e4 6e7-6e8 6eb-6ec " +
  "730 732-733 735-736 73a 73d 73f-741 743 745 747 749-74a 7eb-7f1 7f3 816-819 81b-823 825-827 " +
  "829-82d"
)
  .split(" ")
  .flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
  });

/** Rows and columns of a picture at most. */
export const mostCells = marks.length;

/** The lines over which the terminal draws a picture; their colour is the picture's number. */
export function placeholderLines(columns: number, rows: number): string[] {
  return marks.slice(0, rows).map((row) =>
    marks
      .slice(0, columns)
      .map((column) => placeholder + row + column)
      .join(""),
  );
}

/** Gives the terminal a PNG for placeholders of so many columns and rows; it answers nothing. */
export function kittyPicture(
  png: Uint8Array,
  { id, columns, rows }: { readonly id: number; readonly columns: number; readonly rows: number },
): string[] {
  const data = Buffer.from(png).toString("base64");
  const pieces: string[] = [];
  for (let at = 0; at < data.length; at += pieceLength) {
    const isLast = at + pieceLength >= data.length;
    const head = at === 0 ? `a=T,U=1,f=100,t=d,i=${id},c=${columns},r=${rows},q=2,` : "q=2,";
    const piece = data.slice(at, at + pieceLength);
    pieces.push(`\x1b_G${head}m=${isLast ? 0 : 1};${piece}\x1b\\`);
  }
  return pieces;
}

/** Removes a picture with its data. */
export function kittyRemoval(id: number): string {
  return `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`;
}

/** A sequence that tmux passes on to the terminal, if its option `allow-passthrough` is on. */
export function throughTmux(sequence: string): string {
  return `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
}
