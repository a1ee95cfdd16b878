import { findPlaces } from "../../../src/server/domains/geo/gazetteer/find-places.ts";
import {
  loadGazetteer,
  type Gazetteer,
} from "../../../src/server/domains/geo/gazetteer/gazetteer.ts";
import { milliseconds, percentile, type Group, type Row } from "../figures.ts";
import { placesByName, seededRandom, withTypingError } from "./names.ts";

const tries = 1_000;
const warmUps = 200;
/** Degrees between a place and the point near it, at most. */
const nearDegrees = 0.1;

/** `npm run bench -- geo`: right first answers of the gazetteer, and processor time for each. */
export const placesGroup: Group = {
  name: "places: the right one comes first (goal 0.95), processor time (goal 20 ms)",
  columns: ["right", "p50", "p99"],
  async measure() {
    const start = process.cpuUsage();
    const gazetteer = await loadGazetteer();
    if (gazetteer === undefined) throw new Error("this checkout has no gazetteer");
    const loading: Row = {
      name: "unpacking it, once",
      figures: ["", milliseconds(millisecondsSince(start)), ""],
    };
    return [loading, ...(await measureTries(gazetteer))];
  },
};

async function measureTries(gazetteer: Gazetteer): Promise<Row[]> {
  const random = seededRandom(42);
  const { unique, shared } = placesByName(gazetteer);
  const pick = (all: readonly number[]): number => all[Math.floor(random() * all.length)] ?? 0;
  return [
    measured("unique names with a typing error", () => {
      const entity = pick(unique);
      const query = withTypingError(gazetteer.name(entity), random);
      return () => findPlaces(gazetteer, query, { limit: 10 })[0]?.entity === entity;
    }),
    measured("shared names with a point near", () => {
      const entity = pick(shared);
      const [longitude, latitude] = gazetteer.position(entity);
      const aside = (): number => (random() - 0.5) * nearDegrees;
      const near = [longitude + aside(), latitude + aside()] as const;
      const query = gazetteer.name(entity);
      return () => findPlaces(gazetteer, query, { near, limit: 10 })[0]?.entity === entity;
    }),
    measured("points of places to their country", () => {
      const entity = pick(unique);
      const point = gazetteer.position(entity);
      const code = gazetteer.countryCode(entity);
      return () => gazetteer.areasAt(point).at(-1)?.code === code;
    }),
    measured("points of places to the place", () => {
      const entity = pick(unique);
      const point = gazetteer.position(entity);
      return () => gazetteer.nearest(point, 1)[0] === entity;
    }),
  ];
}

function measured(name: string, prepare: () => () => boolean): Row {
  for (let count = 0; count < warmUps; count += 1) prepare()();
  const times: number[] = [];
  let right = 0;
  for (let count = 0; count < tries; count += 1) {
    const run = prepare();
    const start = process.cpuUsage();
    if (run()) right += 1;
    times.push(millisecondsSince(start));
  }
  const p50 = milliseconds(percentile(times, 0.5));
  const p99 = milliseconds(percentile(times, 0.99));
  return { name, figures: [(right / tries).toFixed(3), p50, p99] };
}

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
