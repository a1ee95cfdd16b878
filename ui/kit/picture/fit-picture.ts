import type { Size } from "../panes/layout.ts";
import { indexedPicture } from "./indexed-png.ts";
import { mostCells } from "./kitty.ts";
import { sixelPicture } from "./sixel.ts";
import type { PictureMode } from "./terminal-pictures.ts";

/** Bytes that a terminal gets for one picture. */
export const bytesAtMost = 1_000_000;
const smaller = 0.7;
const smallestShare = 0.1;

/** A picture for a part of the screen. */
export interface FittedPicture {
  /** The columns and rows of cells that it covers. */
  readonly columns: number;
  readonly rows: number;
  /** A PNG for kitty's protocol, or a whole sequence. */
  readonly content: { readonly png: Uint8Array } | { readonly sixel: string };
}

/** The largest size in dots that has the form of the picture and fits the cells. */
export function dotsIn(
  picture: { readonly width: number; readonly height: number },
  { width, height }: Size,
  { cell }: PictureMode,
): { readonly width: number; readonly height: number } {
  const [wide, high] = [
    Math.min(width, mostCells) * cell.width,
    Math.min(height, mostCells) * cell.height,
  ];
  const share = Math.min(wide / picture.width, high / picture.height);
  return {
    width: Math.max(1, Math.floor(picture.width * share)),
    height: Math.max(1, Math.floor(picture.height * share)),
  };
}

/**
 * A PNG in the form that the terminal draws, as large as the cells allow, in at most a million
 * bytes: a picture that needs more has fewer dots or colours. Throws for a file that is no PNG.
 */
export async function fitPicture(
  png: Uint8Array,
  size: Size,
  mode: PictureMode,
): Promise<FittedPicture> {
  const dots = dotsIn(await new Bun.Image(png).metadata(), size, mode);
  const cells = {
    columns: Math.ceil(dots.width / mode.cell.width),
    rows: Math.ceil(dots.height / mode.cell.height),
  };
  for (let share = 1; ; share *= smaller) {
    const fitted =
      mode.kind === "kitty"
        ? { png: await scaled(png, dots, { share, colors: 256 }) }
        : { sixel: await sixelOf(png, dots, share) };
    const length = "png" in fitted ? (fitted.png.length * 4) / 3 : fitted.sixel.length;
    if (length <= bytesAtMost) return { ...cells, content: fitted };
    if (share < smallestShare) throw new RangeError("the picture has too many bytes");
  }
}

/** Kitty scales a picture to its cells, and only smaller ones save bytes. */
async function scaled(
  png: Uint8Array,
  dots: { readonly width: number; readonly height: number },
  { share, colors }: { readonly share: number; readonly colors: number },
): Promise<Uint8Array> {
  const [width, height] = [dots.width * share, dots.height * share].map((side) =>
    Math.max(1, Math.round(side)),
  );
  return await new Bun.Image(png)
    .resize(width ?? 1, height ?? 1, { fit: "fill" })
    .png({ palette: true, colors })
    .bytes();
}

/** A sixel picture has its size in dots, so only fewer colours save bytes, then fewer dots. */
async function sixelOf(
  png: Uint8Array,
  dots: { readonly width: number; readonly height: number },
  share: number,
): Promise<string> {
  const colors = Math.max(2, Math.round(64 * share));
  const wanted = share > smaller ** 3 ? 1 : share;
  return sixelPicture(indexedPicture(await scaled(png, dots, { share: wanted, colors })));
}
