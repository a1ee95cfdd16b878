/**
 * The gazetteer's form: a JSON header with the length of each section, a line feed, and the
 * sections. `scripts/gazetteer.ts` writes it, and the platform reads it on first use.
 */
export interface PackedSections {
  readonly header: GazetteerHeader;
  readonly sections: ReadonlyMap<string, Uint8Array>;
}

export interface GazetteerHeader {
  /** Codes of ISO 3166-1 in the order of the entities' `country` column. */
  readonly countries: readonly string[];
  /** The number of entities, and of rows: names that lead to an entity. */
  readonly entities: number;
  readonly rows: number;
  /** The first areas have outlines, in the order of the section `outlines`. */
  readonly areas: number;
  readonly sections: readonly (readonly [name: string, bytes: number])[];
}

/** Units of the stored longitudes and latitudes: 2^24 for the circle, 2.4 metres. */
export const unitsPerDegree: number = 2 ** 24 / 360;
/** Units of outlines: 2^18 for the circle, 150 metres. */
export const outlineUnitsPerDegree: number = 2 ** 18 / 360;

export const entityKinds = ["country", "area", "region", "place", "suburb", "postcode"] as const;
export type EntityKind = (typeof entityKinds)[number];
/** A row's name is the entity's name, another name or another language's, or a code. */
export const rowKinds = ["name", "alias", "code"] as const;
export type RowKind = (typeof rowKinds)[number];
/** The `parent` of an entity that has none. */
export const noParent = 0xff_ff;

export function readSections(bytes: Uint8Array): PackedSections {
  const end = bytes.indexOf(10);
  const header: GazetteerHeader = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  let at = end + 1;
  const sections = new Map<string, Uint8Array>();
  for (const [name, length] of header.sections) {
    sections.set(name, bytes.subarray(at, at + length));
    at += length;
  }
  return { header, sections };
}

/** Integers of 32 bits as four planes of bytes, which compress better than whole numbers. */
export function integerPlanes(values: readonly number[]): Uint8Array {
  const planes = new Uint8Array(values.length * 4);
  for (const [index, value] of values.entries()) {
    for (let plane = 0; plane < 4; plane += 1) {
      planes[plane * values.length + index] = (value >>> (plane * 8)) & 0xff;
    }
  }
  return planes;
}

export function integersOf(planes: Uint8Array): Int32Array {
  const count = planes.length / 4;
  const values = new Int32Array(count);
  for (let plane = 0; plane < 4; plane += 1) {
    const offset = plane * count;
    const shift = plane * 8;
    for (let index = 0; index < count; index += 1) {
      values[index] = (values[index] ?? 0) | ((planes[offset + index] ?? 0) << shift);
    }
  }
  return values;
}

/** Signed integers in groups of seven bits, the sign in the lowest one. */
export class NumberWriter {
  readonly #bytes: number[] = [];

  put(value: number): void {
    let rest = value >= 0 ? value * 2 : -value * 2 - 1;
    while (rest > 127) {
      this.#bytes.push((rest & 127) | 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

export class NumberReader {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  next(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.#at] ?? 0;
      this.#at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) break;
      factor *= 128;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
