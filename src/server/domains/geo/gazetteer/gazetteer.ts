import { around } from "geokdbush";
import KDBush from "kdbush";
import { keptPromise } from "../../../kit/background.ts";
import { metresBetween } from "../../../kit/geometry/distance.ts";
import type { Degrees } from "#lib/geometry/geometry.ts";
import { gazetteerBytes } from "./data.ts";
import { NameIndex, type RowRange } from "./name-index.ts";
import { Outlines } from "./outlines.ts";
import {
  entityKinds,
  integersOf,
  noParent,
  readSections,
  rowKinds,
  unitsPerDegree,
  type EntityKind,
  type RowKind,
} from "./packed.ts";

/** An area around a place, the smallest first in a chain. */
export type ChainedArea = {
  readonly name: string;
  readonly kind: "area" | "country";
  readonly code?: string;
};

/** Countries, first-level areas, places, suburbs and postcodes, by their numbers. */
export class Gazetteer {
  readonly names: NameIndex;
  readonly #rowEntities: Int32Array;
  readonly #rowKinds: Uint8Array;
  readonly #texts: readonly string[];
  readonly #kinds: Uint8Array;
  readonly #countries: Uint8Array;
  readonly #countryCodes: readonly string[];
  readonly #parents: Int32Array;
  readonly #longitudes: Int32Array;
  readonly #latitudes: Int32Array;
  readonly #populations: Int32Array;
  /** The entity of each area; the first ones have outlines. */
  readonly #areas: Int32Array;
  readonly #areaOf: ReadonlyMap<number, number>;
  readonly #countryEntities: ReadonlyMap<number, number>;
  readonly #outlines: Outlines;
  #nearest: { readonly index: KDBush; readonly entities: readonly number[] } | undefined;

  /** Unpacks the decompressed bytes of the data file. */
  constructor(bytes: Uint8Array) {
    const { header, sections } = readSections(bytes);
    const section = (name: string): Uint8Array => sections.get(name) ?? new Uint8Array();
    const integers = (name: string): Int32Array => integersOf(section(name));
    this.names = new NameIndex(section("keys"), header.rows);
    this.#rowEntities = integers("rowEntities");
    for (let row = 1; row < this.#rowEntities.length; row += 1) {
      this.#rowEntities[row] = (this.#rowEntities[row] ?? 0) + (this.#rowEntities[row - 1] ?? 0);
    }
    this.#rowKinds = section("rowKinds");
    this.#texts = new TextDecoder().decode(section("names")).split("\n");
    this.#kinds = section("kinds");
    this.#countries = section("countries");
    this.#countryCodes = header.countries;
    this.#parents = integers("parents");
    this.#longitudes = integers("longitudes");
    this.#latitudes = integers("latitudes");
    this.#populations = integers("populations");
    this.#areas = integers("areas");
    this.#areaOf = new Map([...this.#areas].map((entity, area) => [entity, area]));
    this.#outlines = new Outlines(section("arcs"), section("outlines"));
    const countries = new Map<number, number>();
    for (const [entity, kind] of this.#kinds.entries()) {
      if (entityKinds[kind] === "country") countries.set(this.#countries[entity] ?? 0, entity);
    }
    this.#countryEntities = countries;
  }

  /** The number of entities; their numbers begin at 0. */
  get size(): number {
    return this.#kinds.length;
  }

  /** The entities of rows, each with the kind of its name. */
  entitiesOf({ from, to }: RowRange): { readonly entity: number; readonly by: RowKind }[] {
    return Array.from({ length: to - from }, (_row, index) => ({
      entity: this.#rowEntities[from + index] ?? 0,
      by: rowKinds[this.#rowKinds[from + index] ?? 0] ?? "name",
    }));
  }

  name(entity: number): string {
    return (this.#texts[entity] ?? "").split("\t", 1)[0] ?? "";
  }

  /** The code of a country or an area, or the postcode of a suburb; undefined for places. */
  code(entity: number): string | undefined {
    return (this.#texts[entity] ?? "").split("\t")[1];
  }

  kind(entity: number): EntityKind {
    return entityKinds[this.#kinds[entity] ?? 0] ?? "place";
  }

  country(entity: number): number {
    return this.#countries[entity] ?? 0;
  }

  countryCode(entity: number): string {
    return this.#countryCodes[this.country(entity)] ?? "";
  }

  population(entity: number): number {
    return this.#populations[entity] ?? 0;
  }

  position(entity: number): Degrees {
    const round = (units: number): number => Math.round((units / unitsPerDegree) * 1e5) / 1e5;
    return [round(this.#longitudes[entity] ?? 0), round(this.#latitudes[entity] ?? 0)];
  }

  /** True if a place is in an area or a country: by its division, else by the outline. */
  isIn(entity: number, area: number): boolean {
    if (this.country(entity) !== this.country(area)) return false;
    if (this.kind(area) === "country") return true;
    const parent = this.#parents[entity] ?? noParent;
    if (parent !== noParent && this.#areas[parent] === area) return true;
    const place = this.#areaOf.get(area);
    return place !== undefined && this.#outlines.contains(place, ...this.position(entity));
  }

  /** The areas around an entity, which is not one of them, up to its country. */
  areasOf(entity: number): ChainedArea[] {
    const kind = this.kind(entity);
    if (kind === "country") return [];
    const parent = this.#areas[this.#parents[entity] ?? noParent];
    const inside = kind === "area" || kind === "region" ? undefined : this.#areaAt(entity);
    const around = inside === undefined ? undefined : this.#parentOf(inside);
    const country = this.#countryEntities.get(this.country(entity));
    return this.#chain([inside, around ?? parent, country]);
  }

  /** The areas that have a point, the smallest first; none at sea. */
  areasAt([longitude, latitude]: Degrees): ChainedArea[] {
    const area = this.#outlines.areaAt(longitude, latitude);
    if (area === undefined) return [];
    const entity = this.#areas[area] ?? 0;
    const country = this.#countryEntities.get(this.country(entity));
    return this.#chain([entity, this.#parentOf(entity), country]);
  }

  /** The nearest places and suburbs to a point, the nearest first. */
  nearest([longitude, latitude]: Degrees, limit: number): number[] {
    const { index, entities } = (this.#nearest ??= this.#indexPlaces());
    return around(index, longitude, latitude, limit).map((at) => entities[at] ?? 0);
  }

  metresTo(entity: number, point: Degrees): number {
    return metresBetween(this.position(entity), point);
  }

  #areaAt(entity: number): number | undefined {
    const area = this.#outlines.areaAt(...this.position(entity));
    const found = area === undefined ? undefined : this.#areas[area];
    // An outline is coarser than a border: a place at the coast or a border can be outside.
    const isSame = found !== undefined && this.country(found) === this.country(entity);
    return isSame ? found : undefined;
  }

  #parentOf(entity: number): number | undefined {
    return this.#areas[this.#parents[entity] ?? noParent];
  }

  #chain(entities: readonly (number | undefined)[]): ChainedArea[] {
    return [...new Set(entities)].flatMap((entity) => {
      if (entity === undefined) return [];
      const code = this.code(entity);
      const kind = this.kind(entity) === "country" ? ("country" as const) : ("area" as const);
      return [{ name: this.name(entity), kind, ...(code === undefined ? {} : { code }) }];
    });
  }

  #indexPlaces(): { readonly index: KDBush; readonly entities: readonly number[] } {
    const places = new Set([entityKinds.indexOf("place"), entityKinds.indexOf("suburb")]);
    const entities: number[] = [];
    for (const [entity, kind] of this.#kinds.entries()) if (places.has(kind)) entities.push(entity);
    const index = new KDBush(entities.length);
    for (const entity of entities) {
      const longitude = (this.#longitudes[entity] ?? 0) / unitsPerDegree;
      index.add(longitude, (this.#latitudes[entity] ?? 0) / unitsPerDegree);
    }
    index.finish();
    return { index, entities };
  }
}

let loaded: Promise<Gazetteer | undefined> | undefined;

/** The gazetteer, which the first call loads; undefined in an executable without it. */
export async function loadGazetteer(): Promise<Gazetteer | undefined> {
  loaded ??= keptPromise(unpacked());
  return await loaded;
}

async function unpacked(): Promise<Gazetteer | undefined> {
  const compressed = await gazetteerBytes();
  if (compressed === undefined) return undefined;
  return new Gazetteer(await Bun.zstdDecompress(compressed));
}
