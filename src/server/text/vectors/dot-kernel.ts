import { lanes } from "./quantize.ts";

/**
 * Computes the dot products of one vector of 16-bit numbers and `count` vectors of bytes, each
 * `stride` bytes long, as 32-bit numbers at `out`. All addresses are bytes of the memory.
 */
export type DotProducts = (
  query: number,
  vectors: number,
  count: number,
  stride: number,
  out: number,
) => void;

// Names of WebAssembly's instructions (its core specification, 5.4).
const i32 = 0x7f;
const v128 = 0x7b;
const empty = 0x40;
const block = [0x02, empty];
const loop = [0x03, empty];
const end = [0x0b];
const branch = (depth: number): number[] => [0x0c, depth];
const branchIf = (depth: number): number[] => [0x0d, depth];
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, value];
const isZero = [0x45];
const isLess = [0x49];
const add = [0x6a];
const subtract = [0x6b];
const shiftLeft = [0x74];
const store = [0x36, 2, 0];
const load16Bytes = (offset: number): number[] => [0xfd, 0x00, 0, offset];
/** Eight bytes as eight 16-bit numbers with their signs. */
const loadWidened = (offset: number): number[] => [0xfd, 0x01, 0, offset];
const zeros = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
const lane = (index: number): number[] => [0xfd, 0x1b, index];
const addFours = [0xfd, 0xae, 0x01];
/** Multiplies eight pairs of 16-bit numbers and adds neighbours: four 32-bit sums. */
const dotOfEights = [0xfd, 0xba, 0x01];

const code = (...parts: readonly (readonly number[])[]): number[] => parts.flat();

// The parameters come first, then the locals.
const [query, vectors, count, stride, out, at, sums] = [0, 1, 2, 3, 4, 5, 6] as const;

function eightProducts(first: number): number[] {
  return code(
    code(get(query), get(at), constant(1), shiftLeft, add, load16Bytes(first * 2)),
    code(get(vectors), get(at), add, loadWidened(first)),
    code(dotOfEights, addFours),
  );
}

const oneVector = code(
  code(constant(0), set(at), zeros, set(sums), loop),
  code(get(sums), eightProducts(0), eightProducts(lanes / 2), set(sums)),
  code(get(at), constant(lanes), add, tee(at), get(stride), isLess, branchIf(0), end),
  code(get(out), get(sums), lane(0), get(sums), lane(1), add),
  code(get(sums), lane(2), add, get(sums), lane(3), add, store),
);

const body = code(
  [2, 1, i32, 1, v128],
  code(block, loop, get(count), isZero, branchIf(1), oneVector),
  code(get(out), constant(4), add, set(out)),
  code(get(vectors), get(stride), add, set(vectors)),
  code(get(count), constant(1), subtract, set(count)),
  code(branch(0), end, end, end),
);

/** A length or number in WebAssembly's variable form (LEB128). */
function variable(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...variable(value >>> 7)];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...variable(content.length), ...content];
}

function named(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

const module = Uint8Array.from(
  code(
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
    section(2, [1, ...named("svc"), ...named("memory"), 0x02, 0x00, 1]),
    section(3, [1, 0]),
    section(7, [1, ...named("dots"), 0x00, 0]),
    section(10, [1, ...variable(body.length), ...body]),
  ),
);

/** The kernel over a memory; it reads 16 numbers per step. */
export function dotProducts(memory: WebAssembly.Memory): DotProducts {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module), { svc: { memory } });
  // The module exports one function of this type.
  return instance.exports["dots"] as DotProducts;
}
