import type { Reader } from "../../../../database/database.ts";
import type { Condition, FieldTest } from "../../../../database/where/condition.ts";
import { statement } from "../../../../database/statement.ts";
import { farthestMetres, idsNear, numbersNear } from "../../where/place-index.ts";
import type { TypeSource } from "./list-plan.ts";
import type { ListedRecords, RecordPage } from "./listed-page.ts";

/** The first distance in which the nearest records are looked for, and the bounds of others. */
const firstMetres = 1_000;
const mostGrowth = 16;
const leastDivisor = 4;
/** A distance is chosen for as many rows as needed, times this: fewer need another probe. */
const aimedRowsPerNeeded = 2;
const leastMetres = 1;
/** Distances that are tried until the index of places has few enough rows in one. */
const mostProbes = 16;
/** Rows of the index for each one that is needed: more are measured in vain. */
const mostRowsPerNeeded = 4;
/** Records at one place that are measured, however few are needed. */
const mostAtOnePlace = 1_000;
/** Pages that are read in vain, where another part of the filter leaves too few records. */
const mostTries = 3;
const largestOffset = 1_000;

/** The records that the index of places has within a distance: all that are so near, and others. */
interface Circle {
  readonly metres: number;
  readonly rows: number;
  /** Their ids on PostgreSQL, whose planner may measure all records next to a subquery. */
  readonly ids: readonly string[] | undefined;
}

/** True for a page in the order of distance. */
export function isNearestFirst({ keys }: RecordPage): boolean {
  return keys[0]?.nearness !== undefined;
}

/**
 * The page of a `$near` without a bound that the index of places serves: the nearest records are
 * among those within a distance that has enough of them. Undefined where it does not.
 */
export async function readNearest(
  reader: Reader,
  page: RecordPage,
  read: (page: RecordPage) => Promise<ListedRecords>,
): Promise<ListedRecords | undefined> {
  const { type, condition, offset, limit, after } = page;
  const [first, ...others] = page.keys;
  if (first?.nearness === undefined || condition === undefined) return undefined;
  const { path, near } = first.nearness;
  if (near.maximumMetres <= farthestMetres || offset > largestOffset) return undefined;
  const { nearness: _nearness, ...distance } = first;
  const keys = [distance, ...others];
  const passed = Math.max(near.minimumMetres, Number(after?.[0] ?? 0));
  const search = new CircleSearch(reader, type, { path, near }, passed);
  let needed = offset + limit;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const circle = await search.withRows(needed);
    if (circle === undefined) return undefined;
    const { metres, ids } = circle;
    const test: FieldTest = { kind: "near", near: { ...near, maximumMetres: metres } };
    const isInCircle: Condition =
      ids === undefined
        ? { kind: "field", path, test }
        : { kind: "field", path: ["id"], test: { kind: "in", values: ids } };
    const within: Condition = { kind: "and", conditions: [condition, isInCircle] };
    const found = await read({ ...page, keys, condition: within });
    const last = found.records.length - 1;
    const isFull = found.records.length === limit && limit > 0;
    if (isFull && Number(found.valuesAt(last)[0]) <= metres) return found;
    needed = circle.rows * mostRowsPerNeeded;
  }
  return undefined;
}

/** Looks for a circle with enough rows of the index of places, and not many more. */
class CircleSearch {
  /** The largest distance that was too small, and the smallest that was too large. */
  #low: number;
  #high: number | undefined;
  #probes = 0;

  constructor(
    private readonly reader: Reader,
    private readonly type: TypeSource,
    private readonly nearness: NonNullable<RecordPage["keys"][number]["nearness"]>,
    /** Records that are nearer are on an earlier page. */
    private readonly passed: number,
  ) {
    this.#low = passed;
  }

  /** A circle with this many rows or more; undefined if none was found. */
  async withRows(needed: number): Promise<Circle | undefined> {
    const most = needed * mostRowsPerNeeded;
    const limit = Math.max(most, mostAtOnePlace) + 1;
    let crowded: Circle | undefined;
    this.#high = undefined;
    let metres = Math.max(firstMetres, 2 * this.#low);
    while (metres <= farthestMetres && metres >= leastMetres && this.#probes < mostProbes) {
      this.#probes += 1;
      const circle = await this.#at(metres, limit);
      if (circle === undefined) return undefined;
      if (circle.rows <= most) this.#low = metres;
      else [this.#high, crowded] = [metres, circle];
      if (circle.rows >= needed && circle.rows <= most) return circle;
      metres = this.#next({ metres, rows: circle.rows, needed });
    }
    // A list of ids must have all of them; SQLite has the index in the filter instead.
    return crowded?.ids === undefined || crowded.rows < limit ? crowded : undefined;
  }

  /** The distance that has enough rows if they are spread evenly, between the known ones. */
  #next(last: { readonly metres: number; readonly rows: number; readonly needed: number }): number {
    const { metres, rows, needed } = last;
    const wanted = metres * Math.sqrt((aimedRowsPerNeeded * needed) / Math.max(1, rows));
    if (this.#high === undefined) {
      if (metres >= farthestMetres) return Infinity;
      const larger = Math.min(Math.max(wanted, 2 * metres), mostGrowth * metres);
      return Math.min(larger, farthestMetres);
    }
    if (this.#low > wanted || wanted >= this.#high) {
      return this.#low > 0 ? Math.sqrt(this.#low * this.#high) : this.#high / leastDivisor;
    }
    return wanted;
  }

  async #at(metres: number, limit: number): Promise<Circle | undefined> {
    const { reader, type, nearness, passed } = this;
    const test = { kind: "near", near: { ...nearness.near, maximumMetres: metres } } as const;
    if (reader.dialect === "postgresql") {
      const near = idsNear(type, test, passed);
      if (near === undefined) return undefined;
      const rows = await reader.all<{ id: string }>(
        statement`select id from (${near}) as near limit ${limit}`,
      );
      return { metres, rows: rows.length, ids: rows.map(({ id }) => id) };
    }
    const near = numbersNear(type, test);
    if (near === undefined) return undefined;
    const found = await reader.first<{ count: number }>(
      statement`select count(*) as count from (select * from (${near}) limit ${limit})`,
    );
    return { metres, rows: Number(found?.count), ids: undefined };
  }
}
