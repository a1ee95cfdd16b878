import type { PageLayout, PlacedWord } from "../tables/word-places.ts";

/** Quarter turns clockwise, then degrees clockwise around the middle. */
export interface PageTurn {
  readonly quarters: number;
  readonly degrees: number;
}

const turns = [1, 6, 3, 8];
const mirroredTurns = [2, 7, 4, 5];

/** The number in EXIF for a picture of a given number that is turned by further quarters. */
export function turnedOrientation(orientation: number, quarters: number): number {
  const all = mirroredTurns.includes(orientation) ? mirroredTurns : turns;
  return all[(Math.max(0, all.indexOf(orientation)) + quarters) % 4] ?? 1;
}

/** The places of words on the page as it was, from those on the turned one. */
export function turnedBack(layout: PageLayout, { quarters, degrees }: PageTurn): PageLayout {
  const isOnSide = quarters % 2 === 1;
  const [width, height] = isOnSide ? [layout.height, layout.width] : [layout.width, layout.height];
  const words = layout.words.map((word): PlacedWord => {
    const {
      x,
      y,
      width: wide,
      height: high,
    } = degrees === 0 ? word : straight(word, layout, degrees);
    if (quarters === 1) return { ...word, x: y, y: height - x - wide, width: high, height: wide };
    if (quarters === 2) {
      return { ...word, x: width - x - wide, y: height - y - high, width: wide, height: high };
    }
    if (quarters === 3) return { ...word, x: width - y - high, y: x, width: high, height: wide };
    return { ...word, x, y, width: wide, height: high };
  });
  return { ...layout, width, height, words };
}

/** A box keeps its size and moves around the middle of the page. */
function straight(word: PlacedWord, page: PageLayout, degrees: number): PlacedWord {
  const angle = (-degrees * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const [middleX, middleY] = [page.width / 2, page.height / 2];
  const [dx, dy] = [word.x + word.width / 2 - middleX, word.y + word.height / 2 - middleY];
  return {
    ...word,
    x: middleX + dx * cosine - dy * sine - word.width / 2,
    y: middleY + dx * sine + dy * cosine - word.height / 2,
  };
}
