import { dotProducts, type DotProducts } from "./dot-kernel.ts";
import { strideOf, type QuantizedVector } from "./quantize.ts";

/** The vector of a passage; without `vector` the passage has none. */
export interface PassageVector {
  readonly documentId: string;
  readonly ordinal: number;
  readonly vector: QuantizedVector | undefined;
}

/** A passage near to a query, with the cosine of both vectors. */
export interface NearPassage {
  readonly documentId: string;
  readonly ordinal: number;
  readonly likeness: number;
}

const wasmPage = 65_536;
const slabBytes = 1024 * 1024;
/** The query's numbers come first in the memory, then the products of one slab, then the slabs. */
const queryBytes = wasmPage;
const productBytes = (slabBytes / 16) * 4;
const slabsStart = queryBytes + productBytes;

/** Memory for the vectors of all indexes, in slabs of 1 MiB that are reused. */
export class VectorMemory {
  readonly #memory = new WebAssembly.Memory({ initial: slabsStart / wasmPage });
  readonly #dots: DotProducts = dotProducts(this.#memory);
  readonly #free: number[] = [];
  #slabs = 0;

  constructor(private readonly limitBytes: number) {}

  /** The address of a slab; undefined when the limit is reached. */
  take(): number | undefined {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if ((this.#slabs + 1) * slabBytes > this.limitBytes) return undefined;
    this.#memory.grow(slabBytes / wasmPage);
    this.#slabs += 1;
    return slabsStart + (this.#slabs - 1) * slabBytes;
  }

  giveBack(slabs: readonly number[]): void {
    this.#free.push(...slabs);
  }

  write(address: number, values: Int8Array, stride: number): void {
    const place = new Int8Array(this.#memory.buffer, address, stride);
    place.fill(0);
    place.set(values);
  }

  ask(values: Int8Array, stride: number): void {
    const place = new Int16Array(this.#memory.buffer, 0, stride);
    place.fill(0);
    place.set(values);
  }

  /** The products of the last query with `count` vectors of a slab, until the next call. */
  products(slab: number, count: number, stride: number): Int32Array {
    this.#dots(0, slab, count, stride, queryBytes);
    return new Int32Array(this.#memory.buffer, queryBytes, count);
  }
}

/** The vectors of one workspace, all of one size. A search compares the query with all of them. */
export class VectorIndex {
  readonly #stride: number;
  readonly #perSlab: number;
  readonly #slabs: number[] = [];
  readonly #documents: (string | undefined)[] = [];
  readonly #numberOf = new Map<string, number>();
  /** The document's number, the passage's place in it, and the scale of its vector, by slot. */
  readonly #owners: number[] = [];
  readonly #ordinals: number[] = [];
  readonly #scales: number[] = [];
  /** The slots of the passages by their document's number. */
  readonly #slots: (number | undefined)[][] = [];
  readonly #freeSlots: number[] = [];

  constructor(
    private readonly memory: VectorMemory,
    private readonly dimensions: number,
  ) {
    this.#stride = strideOf(dimensions);
    this.#perSlab = Math.floor(slabBytes / this.#stride);
  }

  get size(): number {
    return this.#owners.length - this.#freeSlots.length;
  }

  /** Adds vectors or replaces them; returns how many did not fit into the memory. */
  put(vectors: Iterable<PassageVector>): number {
    let left = 0;
    for (const { documentId, ordinal, vector } of vectors) {
      const known = this.#slotOf(documentId, ordinal);
      if (vector === undefined || vector.values.length !== this.dimensions) {
        if (known !== undefined) this.#release(known);
        continue;
      }
      const slot = known ?? this.#newSlot(documentId, ordinal);
      if (slot === undefined) {
        left += 1;
        continue;
      }
      this.#scales[slot] = vector.scale;
      this.memory.write(this.#addressOf(slot), vector.values, this.#stride);
    }
    return left;
  }

  forget(documentIds: Iterable<string>): void {
    for (const documentId of documentIds) {
      const number = this.#numberOf.get(documentId);
      if (number === undefined) continue;
      for (const slot of this.#slots[number] ?? []) if (slot !== undefined) this.#release(slot);
      this.#numberOf.delete(documentId);
      this.#documents[number] = undefined;
      this.#slots[number] = [];
    }
  }

  /** The nearest passages, best first; `among` limits the documents. */
  search(query: QuantizedVector, limit: number, among?: ReadonlySet<string>): NearPassage[] {
    if (query.values.length !== this.dimensions) return [];
    this.memory.ask(query.values, this.#stride);
    const isAsked = among && this.#documents.map((id) => id !== undefined && among.has(id));
    const best = new Best(limit);
    for (const [place, slab] of this.#slabs.entries()) {
      const first = place * this.#perSlab;
      const count = Math.min(this.#perSlab, this.#owners.length - first);
      const products = this.memory.products(slab, count, this.#stride);
      for (let index = 0; index < count; index += 1) {
        const slot = first + index;
        const score = (products[index] ?? 0) * (this.#scales[slot] ?? 0);
        if (score <= best.least) continue;
        if (isAsked === undefined || isAsked[this.#owners[slot] ?? -1] === true) {
          best.add(slot, score);
        }
      }
    }
    return best.slots.map(({ slot, score }) => ({
      documentId: this.#documents[this.#owners[slot] ?? -1] ?? "",
      ordinal: this.#ordinals[slot] ?? 0,
      likeness: score * query.scale,
    }));
  }

  close(): void {
    this.memory.giveBack(this.#slabs.splice(0));
  }

  #slotOf(documentId: string, ordinal: number): number | undefined {
    const number = this.#numberOf.get(documentId);
    return number === undefined ? undefined : this.#slots[number]?.[ordinal];
  }

  #newSlot(documentId: string, ordinal: number): number | undefined {
    const slot = this.#freeSlots.pop() ?? this.#lastSlot();
    if (slot === undefined) return undefined;
    const number = this.#numberOf.get(documentId) ?? this.#newDocument(documentId);
    this.#owners[slot] = number;
    this.#ordinals[slot] = ordinal;
    const slots = this.#slots[number] ?? [];
    slots[ordinal] = slot;
    return slot;
  }

  #lastSlot(): number | undefined {
    const slot = this.#owners.length;
    if (slot < this.#slabs.length * this.#perSlab) return slot;
    const slab = this.memory.take();
    if (slab === undefined) return undefined;
    this.#slabs.push(slab);
    return slot;
  }

  #newDocument(documentId: string): number {
    const number = this.#documents.length;
    this.#documents.push(documentId);
    this.#slots.push([]);
    this.#numberOf.set(documentId, number);
    return number;
  }

  /** A slot without a scale has no likeness to anything. */
  #release(slot: number): void {
    const slots = this.#slots[this.#owners[slot] ?? -1];
    if (slots !== undefined) slots[this.#ordinals[slot] ?? 0] = undefined;
    this.#scales[slot] = 0;
    this.#freeSlots.push(slot);
  }

  #addressOf(slot: number): number {
    const slab = this.#slabs[Math.floor(slot / this.#perSlab)] ?? 0;
    return slab + (slot % this.#perSlab) * this.#stride;
  }
}

/** The best slots, in order. */
class Best {
  readonly slots: { slot: number; score: number }[] = [];
  /** A slot needs more than this; first any likeness above 0. */
  least = 0;

  constructor(private readonly limit: number) {}

  add(slot: number, score: number): void {
    let low = 0;
    let high = this.slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.slots[middle]?.score ?? 0) >= score) low = middle + 1;
      else high = middle;
    }
    this.slots.splice(low, 0, { slot, score });
    if (this.slots.length > this.limit) this.slots.pop();
    if (this.slots.length === this.limit) this.least = this.slots.at(-1)?.score ?? 0;
  }
}
