/** QR codes (ISO/IEC 18004) of short texts: bytes, correction level L, mask 0, versions 1 to 6. */

interface Version {
  /** The number of modules on each side. */
  readonly size: number;
  readonly blocks: number;
  /** Data codewords of each block. */
  readonly data: number;
  /** Correction codewords of each block. */
  readonly correction: number;
}

const versions: readonly Version[] = [
  { size: 21, blocks: 1, data: 19, correction: 7 },
  { size: 25, blocks: 1, data: 34, correction: 10 },
  { size: 29, blocks: 1, data: 55, correction: 15 },
  { size: 33, blocks: 1, data: 80, correction: 20 },
  { size: 37, blocks: 1, data: 108, correction: 26 },
  { size: 41, blocks: 2, data: 68, correction: 18 },
];

/** Bits of the mode and of the length, which precede the bytes. */
const headBits = 12;

// The field of 256 elements with the polynomial of QR codes, as powers of its generator.
const powers: number[] = [];
const logarithms: number[] = [];
for (let [power, value] = [0, 1]; power < 255; power += 1) {
  powers[power] = value;
  logarithms[value] = power;
  value = value < 128 ? value << 1 : (value << 1) ^ 0x11d;
}

function product(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return powers[((logarithms[a] ?? 0) + (logarithms[b] ?? 0)) % 255] ?? 0;
}

/** The remainder of a block's polynomial by that of its correction codewords. */
function correctionOf(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let root = 0; root < count; root += 1) {
    const next = [...generator, 0];
    generator.forEach((term, at) => {
      next[at + 1] = (next[at + 1] ?? 0) ^ product(term, powers[root] ?? 0);
    });
    generator = next;
  }
  const rest = [...data, ...Array.from({ length: count }, () => 0)];
  for (let at = 0; at < data.length; at += 1) {
    const lead = rest[at] ?? 0;
    generator.forEach((term, index) => {
      rest[at + index] = (rest[at + index] ?? 0) ^ product(term, lead);
    });
  }
  return rest.slice(data.length);
}

/** The data codewords of a text: mode, length, bytes and filling. */
function dataOf(bytes: Uint8Array, count: number): number[] {
  const bits = ["0100", bytes.length.toString(2).padStart(8, "0")];
  for (const byte of bytes) bits.push(byte.toString(2).padStart(8, "0"));
  const ended = `${bits.join("")}0000`.slice(0, count * 8);
  const whole = ended.padEnd(Math.ceil(ended.length / 8) * 8, "0");
  const words = Array.from({ length: whole.length / 8 }, (_, at) =>
    Number.parseInt(whole.slice(at * 8, at * 8 + 8), 2),
  );
  for (let filled = 0; words.length < count; filled += 1) words.push(filled % 2 ? 0x11 : 0xec);
  return words;
}

/** The codewords of all blocks, one of each block after the other. */
function codewordsOf(bytes: Uint8Array, { blocks, data, correction }: Version): number[] {
  const all = dataOf(bytes, data * blocks);
  const parts = Array.from({ length: blocks }, (_, at) => all.slice(at * data, (at + 1) * data));
  const checks = parts.map((part) => correctionOf(part, correction));
  const inTurns = (rows: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, at) => rows.map((row) => row[at] ?? 0)).flat();
  return [...inTurns(parts, data), ...inTurns(checks, correction)];
}

/** Level L and mask 0 with their correction. */
const format = "111011111000100";

type Modules = (boolean | undefined)[][];

/** A square pattern of rings around a centre; those that are `light` are not dark. */
function ring(modules: Modules, [y, x]: readonly [number, number], radius: number, light: number) {
  for (let row = -radius; row <= radius; row += 1) {
    for (let column = -radius; column <= radius; column += 1) {
      const away = Math.max(Math.abs(row), Math.abs(column));
      const line = modules[y + row];
      if (line !== undefined && x + column >= 0 && x + column < line.length) {
        line[x + column] = away !== light && away !== 4;
      }
    }
  }
}

function put(modules: Modules, row: number, column: number, isDark: boolean): void {
  const line = modules[row];
  if (line !== undefined) line[column] = isDark;
}

/** The parts of a code that do not depend on its text. */
function frameOf(size: number): Modules {
  const modules: Modules = Array.from({ length: size }, () => Array.from({ length: size }));
  for (let at = 8; at < size - 8; at += 1) {
    put(modules, 6, at, at % 2 === 0);
    put(modules, at, 6, at % 2 === 0);
  }
  const end = size - 4;
  for (const centre of [[3, 3] as const, [3, end] as const, [end, 3] as const]) {
    ring(modules, centre, 4, 2);
  }
  if (size > 21) ring(modules, [size - 7, size - 7], 2, 1);
  for (let bit = 0; bit < format.length; bit += 1) {
    const isDark = format[bit] === "1";
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : undefined;
    if (near !== undefined) put(modules, 8, near, isDark);
    else put(modules, bit === 8 ? 7 : 14 - bit, 8, isDark);
    if (bit < 7) put(modules, size - 1 - bit, 8, isDark);
    else put(modules, 8, size - 15 + bit, isDark);
  }
  put(modules, size - 8, 8, true);
  return modules;
}

/** The dark modules of the code of a text, by row; `undefined` for more than 134 bytes. */
export function qrCode(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text);
  const version = versions.find(
    ({ blocks, data }) => bytes.length * 8 + headBits <= data * blocks * 8,
  );
  if (version === undefined) return undefined;
  const { size } = version;
  const modules = frameOf(size);
  const bits = codewordsOf(bytes, version).map((word) => word.toString(2).padStart(8, "0"));
  const stream = bits.join("");
  let at = 0;
  let isUp = true;
  // Pairs of columns from the right, up and down in turns; the column of the timing is left out.
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (modules[row]?.[column] !== undefined) continue;
        put(modules, row, column, (stream[at] === "1") !== ((row + column) % 2 === 0));
        at += 1;
      }
    }
    isUp = !isUp;
  }
  return modules.map((line) => line.map((isDark) => isDark === true));
}

/** Light modules around a code. */
const quiet = 2;

/** The code as lines of half blocks, dark on light, with a margin; none for a long text. */
export function qrLines(text: string): string[] {
  const modules = qrCode(text);
  if (modules === undefined) return [];
  const size = modules.length + 2 * quiet;
  const isDark = (row: number, column: number) => modules[row - quiet]?.[column - quiet] === true;
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (_column, column) => {
      const [upper, lower] = [isDark(2 * line, column), isDark(2 * line + 1, column)];
      return upper ? (lower ? "█" : "▀") : lower ? "▄" : " ";
    }).join(""),
  );
}
