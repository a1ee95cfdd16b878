/** The place of a run on its page, and its text. */
interface PlacedRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly angle: number;
}

/** A run on top of another one is nearer to it than this share of its width. */
const shareWithin = 0.3;
/** The distance is below so many letter sizes too; a single letter may be the next of a word. */
const nearWithin = { letter: 0.1, text: 0.25 };
/** Sizes of the letters that differ by less are the same, as a share of them. */
const sameSizeWithin = 0.05;
/** Runs with the same first letter to which a run is compared; the latest ones. */
const comparedAtMost = 100;

/**
 * The runs of a page that are drawn so far, by which those that are drawn again are found: a text
 * looks bold or has a shadow when it is drawn several times with small steps between them.
 */
export class DrawnRuns {
  readonly #byFirst = new Map<string, PlacedRun[]>();

  /** True if all of a run lies on an earlier one that has, or begins with, the same text. */
  isAgain(run: PlacedRun): boolean {
    const text = run.text.trim();
    if (text === "") return false;
    const first = text.slice(0, 1);
    const like = this.#byFirst.get(first);
    if (like === undefined) {
      this.#byFirst.set(first, [run]);
      return false;
    }
    const most = (text.length === 1 ? nearWithin.letter : nearWithin.text) * run.size;
    const near = Math.min(shareWithin * run.width, most);
    let isAgain = false;
    for (let at = like.length - 1; at >= Math.max(0, like.length - comparedAtMost); at -= 1) {
      const other = like[at];
      if (other !== undefined && isOn(run, other, near) && other.text.trim().startsWith(text)) {
        isAgain = true;
        break;
      }
    }
    // The next copy may be near to this one only.
    like.push(run);
    return isAgain;
  }
}

function isOn(run: PlacedRun, other: PlacedRun, near: number): boolean {
  return (
    Math.abs(run.x - other.x) < near &&
    Math.abs(run.y - other.y) < near &&
    run.angle === other.angle &&
    Math.abs(run.size - other.size) <= sameSizeWithin * run.size
  );
}
