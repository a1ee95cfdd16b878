import type { Outlines } from "../../src/server/domains/geo/gazetteer/outlines.ts";
import {
  noParent,
  type EntityKind,
  type RowKind,
} from "../../src/server/domains/geo/gazetteer/packed.ts";
import type { City, Locality, NaturalArea, Sources } from "./sources.ts";

/** An entry of the gazetteer before it is packed. */
export interface Entity {
  readonly kind: EntityKind;
  readonly name: string;
  /** The code of an area, a country or a postcode, and the postcode of a suburb. */
  readonly code?: string;
  readonly country: string;
  /** The position of an area in the list of areas. */
  readonly parent: number;
  readonly longitude: number;
  readonly latitude: number;
  readonly population: number;
  readonly otherNames: readonly (readonly [name: string, kind: RowKind])[];
}

/** Other names are kept for places with at least these people. */
const leastPopulationWithOtherNames = 15_000;
/** A suburb at this distance in degrees from a place of its name is that place. */
const sameSuburbDegrees = 0.15;

/** The areas first, in the order of their outlines, then all others. */
export function entitiesOf(
  sources: Sources,
  outlines: Outlines,
): { readonly areas: readonly Entity[]; readonly others: readonly Entity[] } {
  const placed = sources.cities.map((city) => outlines.areaAt(...city.loc.coordinates));
  const inside = sources.areas.map((): City[] => []);
  for (const [index, city] of sources.cities.entries()) inside[placed[index] ?? -1]?.push(city);
  const divisionOf = sources.areas.map(({ properties }, index) =>
    most(
      (inside[index] ?? []).map(({ country, adminCode }) => `${country}.${adminCode}`),
      [properties["gn_level"] === 1 ? String(properties["gn_a1_code"]) : ""],
    ),
  );
  const countryOf = sources.areas.map(({ properties }, index) =>
    most(
      (inside[index] ?? []).map(({ country }) => country),
      [String(properties["iso_a2"])],
    ),
  );
  const areasOf = Map.groupBy(sources.areas.keys(), (index) => divisionOf[index] ?? "");
  const members = Map.groupBy(sources.cities, (city) => `${city.country}.${city.adminCode}`);
  const regions = [...members].flatMap(([code, cities]) => {
    const isArea = areasOf.get(code)?.length === 1;
    const name = sources.divisions.get(code);
    return isArea || name === undefined ? [] : [{ code, name, cities }];
  });
  const position = new Map(regions.map(({ code }, index) => [code, sources.areas.length + index]));
  const parentOf = (code: string): number =>
    position.get(code) ??
    (areasOf.get(code)?.length === 1 ? areasOf.get(code)?.[0] : undefined) ??
    noParent;
  const areas = sources.areas.map((area, index) =>
    areaEntity(area, {
      country: countryOf[index] ?? "",
      parent: position.get(divisionOf[index] ?? "") ?? noParent,
      population: peopleOf(inside[index] ?? []),
    }),
  );
  const places = sources.cities.map((city) =>
    placeEntity(city, parentOf(`${city.country}.${city.adminCode}`), sources.otherNames),
  );
  return {
    areas: [...areas, ...regions.map(regionEntity)],
    others: [
      ...countryEntities(sources, areas),
      ...places,
      ...australian(sources.localities, places, (longitude, latitude) => {
        const area = outlines.areaAt(longitude, latitude);
        return area ?? noParent;
      }),
    ],
  };
}

function most(values: readonly string[], otherwise: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best?.[0] ?? otherwise[0] ?? "";
}

function peopleOf(cities: readonly City[]): number {
  return cities.reduce((sum, { population }) => sum + population, 0);
}

function areaEntity(
  { properties }: NaturalArea,
  part: Pick<Entity, "country" | "parent" | "population">,
): Entity {
  const text = (name: string): string => String(properties[name] ?? "");
  const names = Object.keys(properties)
    .filter((name) => /^(?:name|name_[a-z]{2,3}|gn_name|woe_name)$/.test(name))
    .flatMap((name) => (name === "name_len" ? [] : text(name).split("|")));
  return {
    kind: "area",
    name: text("name_en") || text("name") || text("gn_name"),
    code: text("iso_3166_2"),
    longitude: Number(properties["longitude"]),
    latitude: Number(properties["latitude"]),
    otherNames: [
      ...names.map((name) => [name, "alias"] as const),
      [text("postal"), "code"],
      [text("iso_3166_2"), "code"],
      [text("iso_3166_2").replace(/^[A-Z]{2}-/, ""), "code"],
    ],
    ...part,
  };
}

function regionEntity(given: {
  readonly code: string;
  readonly name: string;
  readonly cities: readonly City[];
}): Entity {
  const { code, name, cities } = given;
  const mean = (axis: 0 | 1): number =>
    cities.reduce((sum, { loc }) => sum + loc.coordinates[axis], 0) / cities.length;
  return {
    kind: "region",
    name,
    code,
    country: code.slice(0, 2),
    parent: noParent,
    longitude: mean(0),
    latitude: mean(1),
    population: peopleOf(cities),
    otherNames: [],
  };
}

function placeEntity(
  city: City,
  parent: number,
  otherNames: ReadonlyMap<number, readonly string[]>,
): Entity {
  const [longitude, latitude] = city.loc.coordinates;
  const hasNames = city.population >= leastPopulationWithOtherNames;
  const names = hasNames ? (otherNames.get(city.cityId) ?? []) : [];
  return {
    kind: "place",
    name: city.name,
    country: city.country,
    parent,
    longitude,
    latitude,
    population: city.population,
    otherNames: names.map((name) => [name, "alias"] as const),
  };
}

/** A country's point is that of its area with the most people, or its largest place. */
function countryEntities({ countries, cities }: Sources, areas: readonly Entity[]): Entity[] {
  const byCountry = Map.groupBy(areas, ({ country }) => country);
  const citiesOf = Map.groupBy(cities, ({ country }) => country);
  return [...countries].flatMap(([code, [name = code, ...others]]) => {
    const own = byCountry.get(code) ?? [];
    const [largest] = (citiesOf.get(code) ?? []).toSorted(
      (one, other) => other.population - one.population,
    );
    const center = middleOf(own) ?? largest?.loc.coordinates;
    if (center === undefined) return [];
    return [
      {
        kind: "country",
        name,
        code,
        country: code,
        parent: noParent,
        longitude: center[0],
        latitude: center[1],
        population: peopleOf(citiesOf.get(code) ?? []),
        otherNames: others.map((other) =>
          other.startsWith("\t")
            ? ([other.slice(1), "code"] as const)
            : ([other, "alias"] as const),
        ),
      },
    ];
  });
}

/** The area whose label is nearest to the mean of all labels. */
function middleOf(areas: readonly Entity[]): readonly [number, number] | undefined {
  const mean = (of: (area: Entity) => number): number =>
    areas.reduce((sum, area) => sum + of(area), 0) / areas.length;
  const [x, y] = [mean((area) => area.longitude), mean((area) => area.latitude)];
  const away = (area: Entity): number => (area.longitude - x) ** 2 + (area.latitude - y) ** 2;
  const [nearest] = areas.toSorted((one, other) => away(one) - away(other));
  return nearest === undefined ? undefined : [nearest.longitude, nearest.latitude];
}

/** Postcodes as points, and the suburbs that are not places already. */
function australian(
  localities: readonly Locality[],
  places: readonly Entity[],
  parentAt: (longitude: number, latitude: number) => number,
): Entity[] {
  const located = localities.filter(({ lat, long }) => lat < 0 && long > 0);
  const known = Map.groupBy(
    places.filter(({ country }) => country === "AU"),
    ({ name }) => name.toLowerCase(),
  );
  const base = { country: "AU", population: 0 };
  const postcodes = [...Map.groupBy(located, ({ postcode }) => postcode)].map(([code, members]) => {
    const longitude = members.reduce((sum, { long }) => sum + long, 0) / members.length;
    const latitude = members.reduce((sum, { lat }) => sum + lat, 0) / members.length;
    const parent = most(
      members.map(({ lat, long }) => String(parentAt(long, lat))),
      [],
    );
    const point = { longitude, latitude, parent: Number(parent) };
    return { ...base, ...point, kind: "postcode" as const, name: code, code, otherNames: [] };
  });
  const suburbs = [
    ...Map.groupBy(located, ({ locality, postcode }) => `${titled(locality)}\t${postcode}`),
  ].flatMap(([key, [first]]): Entity[] => {
    const [name = "", code = ""] = key.split("\t");
    if (first === undefined) return [];
    const { long: longitude, lat: latitude } = first;
    const isKnown = known
      .get(name.toLowerCase())
      ?.some(
        (place) =>
          Math.hypot(place.longitude - longitude, place.latitude - latitude) < sameSuburbDegrees,
      );
    if (isKnown === true) return [];
    const parent = parentAt(longitude, latitude);
    return [{ ...base, kind: "suburb", name, code, parent, longitude, latitude, otherNames: [] }];
  });
  return [...postcodes, ...suburbs];
}

function titled(name: string): string {
  return name.toLowerCase().replaceAll(/(?:^|[\s(-])\p{L}/gu, (start) => start.toUpperCase());
}
