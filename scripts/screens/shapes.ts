/** A character as a filled path in its cell. */
export interface Shape {
  readonly path: string;
  readonly opacity: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The weights of a line's arms (none, light, heavy): up, right, down, left. */
const arms: Readonly<Record<string, string>> = {
  "─": "0101",
  "━": "0202",
  "│": "1010",
  "┃": "2020",
  "┌": "0110",
  "┐": "0011",
  "└": "1100",
  "┘": "1001",
  "├": "1110",
  "┤": "1011",
  "┬": "0111",
  "┴": "1101",
  "┼": "1111",
  "╭": "0110",
  "╮": "0011",
  "╰": "1100",
  "╯": "1001",
  "╴": "0001",
  "╵": "1000",
  "╶": "0100",
  "╷": "0010",
  "╸": "0002",
  "╺": "0200",
  "┝": "1210",
  "┥": "1012",
  "┯": "0212",
  "┷": "1202",
  "┿": "1212",
};

const shades: Readonly<Record<string, number>> = { "░": 0.25, "▒": 0.5, "▓": 0.75 };
/** The quarters that a character fills: upper left, upper right, lower left, lower right. */
const quarters: Readonly<Record<string, string>> = {
  "▖": "0010",
  "▗": "0001",
  "▘": "1000",
  "▙": "1011",
  "▚": "1001",
  "▛": "1110",
  "▜": "1101",
  "▝": "0100",
  "▞": "0110",
  "▟": "0111",
};

/** The shape of a line, a block or a Braille pattern; undefined for a letter. */
export function shapeOf(text: string, size: Size): Shape | undefined {
  const path =
    linePath(text, size) ?? blockPath(text, size) ?? quarterPath(text, size) ?? dots(text, size);
  return path === undefined ? undefined : { path, opacity: shades[text] ?? 1 };
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

function linePath(text: string, { width, height }: Size): string | undefined {
  const weights = Array.from(arms[text] ?? "", Number);
  if (weights.length === 0) return undefined;
  const [up = 0, right = 0, down = 0, left = 0] = weights;
  const [across, along] = [Math.floor(width / 2), Math.floor(height / 2)];
  return [
    up === 0 ? "" : box(across, 0, up, along + 1),
    down === 0 ? "" : box(across, along, down, height - along),
    left === 0 ? "" : box(0, along, across + 1, left),
    right === 0 ? "" : box(across, along, width - across, right),
  ].join("");
}

function blockPath(text: string, { width, height }: Size): string | undefined {
  const code = text.codePointAt(0) ?? 0;
  if (text in shades) return box(0, 0, width, height);
  if (code === 0x25_80) return box(0, 0, width, height / 2);
  // Lower blocks of one to eight eighths, then left blocks of seven to one.
  if (code >= 0x25_81 && code <= 0x25_88) {
    const high = Math.round((height * (code - 0x25_80)) / 8);
    return box(0, height - high, width, high);
  }
  if (code >= 0x25_89 && code <= 0x25_8f) {
    return box(0, 0, Math.max(1, Math.round((width * (0x25_90 - code)) / 8)), height);
  }
  if (code === 0x25_90) return box(width / 2, 0, width / 2, height);
  if (code === 0x25_94) return box(0, 0, width, height / 8);
  return code === 0x25_95 ? box(width - 1, 0, 1, height) : undefined;
}

function quarterPath(text: string, { width, height }: Size): string | undefined {
  const filled = quarters[text];
  if (filled === undefined) return undefined;
  return Array.from(filled, (is, at) =>
    is === "0"
      ? ""
      : box(((at % 2) * width) / 2, (Math.floor(at / 2) * height) / 2, width / 2, height / 2),
  ).join("");
}

/** The dots of a Braille pattern, in the order of its bits: column and row. */
const places: readonly (readonly [number, number])[] = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
];
const dotSize = 2;

function dots(text: string, { width, height }: Size): string | undefined {
  const bits = (text.codePointAt(0) ?? 0) - 0x28_00;
  if (bits < 0 || bits > 0xff) return undefined;
  return places
    .map(([column, row], bit) => {
      if ((bits & (1 << bit)) === 0) return "";
      const [x, y] = [(width * (column + 0.5)) / 2, (height * (row + 0.5)) / 4];
      return box(Math.round(x - dotSize / 2), Math.round(y - dotSize / 2), dotSize, dotSize);
    })
    .join("");
}
