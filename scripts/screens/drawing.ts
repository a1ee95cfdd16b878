import type { TerminalCell } from "../../test/support/tty.ts";
import { cellColour, type TerminalPalette } from "./palettes.ts";
import { shapeOf } from "./shapes.ts";

/** The size of one character cell in dots. */
export const cellWidth = 9;
export const cellHeight = 18;
const fontSize = 15;
/** The distance of a letter's foot from the top of its cell. */
const baseline = 14;
const font = "DejaVu Sans Mono";
/** The character over which a terminal of kitty's protocol draws a picture. */
const placeholder = "\u{10eeee}";

interface Look {
  readonly ink: string;
  readonly ground: string;
  readonly attributes: string;
}

/**
 * The drawing (SVG) of a screen. Lines, blocks and Braille are shapes, since those of a font do not
 * join; each other text is placed in its own cell. A picture (PNG) covers its placeholders.
 */
export function drawingOf(
  rows: readonly (readonly TerminalCell[])[],
  palette: TerminalPalette,
  png?: Uint8Array,
): string {
  const width = Math.max(...rows.map((row) => row.length)) * cellWidth;
  const height = rows.length * cellHeight;
  const parts = rows.flatMap((row, y) =>
    row.map((cell, x) => drawCell(cell, x * cellWidth, y * cellHeight, palette)),
  );
  // Grounds come first, since a wide or slanted letter reaches into the next cell.
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`,
    ` font-family="${font}" font-size="${fontSize}" xml:space="preserve">`,
    `<rect width="100%" height="100%" fill="${palette.background}"/>`,
    `<g shape-rendering="crispEdges">${parts.map(({ ground }) => ground).join("")}</g>`,
    ...parts.map(({ ink }) => ink),
    png === undefined ? "" : placedImage(rows, png),
    "</svg>",
  ].join("");
}

/** A picture over all placeholders of kitty's protocol; none while they are not on the screen. */
function placedImage(rows: readonly (readonly TerminalCell[])[], png: Uint8Array): string {
  const held = rows.flatMap((row, y) =>
    row.flatMap((cell, x) => (cell.text.startsWith(placeholder) ? [{ x, y }] : [])),
  );
  const [first] = held;
  const last = held.at(-1);
  if (first === undefined || last === undefined) return "";
  const size = [
    `x="${first.x * cellWidth}" y="${first.y * cellHeight}"`,
    `width="${(last.x - first.x + 1) * cellWidth}" height="${(last.y - first.y + 1) * cellHeight}"`,
  ].join(" ");
  const data = Buffer.from(png).toString("base64");
  return `<image ${size} preserveAspectRatio="none" href="data:image/png;base64,${data}"/>`;
}

function drawCell(cell: TerminalCell, x: number, y: number, palette: TerminalPalette) {
  const look = lookOf(cell, palette);
  const width = cellWidth * Math.max(1, cell.width);
  const ground =
    look.ground === palette.background || cell.width === 0
      ? ""
      : `<rect x="${x}" y="${y}" width="${width}" height="${cellHeight}" fill="${look.ground}"/>`;
  return { ground, ink: drawInk(cell, look, x, y) };
}

function drawInk(cell: TerminalCell, { ink, attributes }: Look, x: number, y: number): string {
  const line = cell.underline
    ? `<rect x="${x}" y="${y + baseline + 2}" width="${cellWidth}" height="1" fill="${ink}"/>`
    : "";
  if (cell.text.trim() === "" || cell.text.startsWith(placeholder)) return line;
  const shape = shapeOf(cell.text, { width: cellWidth, height: cellHeight });
  if (shape !== undefined) {
    const { path, opacity } = shape;
    return `${line}<path transform="translate(${x} ${y})" d="${path}" fill="${ink}" opacity="${opacity}"/>`;
  }
  return `${line}<text x="${x}" y="${y + baseline}" fill="${ink}"${attributes}>${escaped(cell.text)}</text>`;
}

function lookOf(cell: TerminalCell, palette: TerminalPalette): Look {
  const foreground =
    cell.foreground === -1 ? palette.foreground : cellColour(cell.foreground, palette);
  const background =
    cell.background === -1 ? palette.background : cellColour(cell.background, palette);
  const attributes = [
    cell.bold ? ' font-weight="bold"' : "",
    cell.italic ? ' font-style="italic"' : "",
    cell.dim ? ' opacity="0.6"' : "",
  ].join("");
  return cell.inverse
    ? { ink: background, ground: foreground, attributes }
    : { ink: foreground, ground: background, attributes };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
