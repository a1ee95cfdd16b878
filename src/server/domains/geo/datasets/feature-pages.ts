import type { ListBody, ListQuery } from "#contract/lists.ts";
import { given } from "#lib/given.ts";
import type { Box } from "#lib/geometry/geometry.ts";
import type { Reader } from "../../../database/database.ts";
import type { Statement } from "../../../database/statement.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { bytesOfTexts, fittingRows, ListPages } from "../../../kit/lists/pages.ts";
import type { Work } from "../../../work/work.ts";
import type { DatasetRecord } from "./dataset-store.ts";
import {
  countFeatures,
  featuresAfter,
  featureNumber,
  featuresOfNumbers,
  numbersInBoxes,
  placeOf,
  type FeatureRecord,
  type FeatureSource,
} from "./feature-store.ts";
import type { SpatialTest, Tested } from "./spatial-test.ts";

/** Features that the index of boxes may find; of more, the features are read in their order. */
const foundAtMost = 10_000;
/** Features that one statement reads for the exact test. */
const rowsAtOnce = 500;

/** A test of the properties of a feature, as JSON text; `name` identifies it. */
export interface PropertyTest {
  readonly name: string;
  passes(properties: string): boolean;
}

export interface FeaturePage<Item> {
  readonly dataset: DatasetRecord;
  readonly test: SpatialTest;
  readonly where: Statement<boolean> | undefined;
  readonly also?: PropertyTest | undefined;
  /** The values that identify the list, for its cursors. */
  readonly list: readonly unknown[];
  /** The part of the request that has the cursor. */
  readonly place: readonly string[];
  readonly paging: Pick<ListQuery, "page" | "limit" | "cursor" | "count">;
  readonly signal: AbortSignal;
  readonly itemOf: (tested: Tested) => Item;
}

/** One page of the features that pass a search, in the order of their creation. */
export async function pageOfFeatures<Item>(
  work: Work,
  cursors: ListCursors,
  page: FeaturePage<Item>,
): Promise<ListBody<Item>> {
  const { dataset, test, where, list, place, paging, signal, itemOf } = page;
  const { workspace_id: workspaceId, generation } = dataset;
  const pages = new ListPages(cursors, ["features", workspaceId, generation, ...list], place);
  const start = pages.start(paging);
  const reader =
    where === undefined ? work.read : work.scan.with({ share: workspaceId, ...given({ signal }) });
  const source = { workspaceId, generation, where };
  const [after = 0] = start.after ?? [];
  const found: Tested[] = [];
  let skipped = 0;
  for await (const tested of matching(reader, source, test, Number(after))) {
    signal.throwIfAborted();
    if (page.also?.passes(tested.row.properties) === false) continue;
    if (skipped < start.offset) skipped += 1;
    else found.push(tested);
    if (found.length === start.rows) break;
  }
  return pages.body(start, {
    rows: found,
    shown: fittingRows(found, start.limit, ({ row }) => bytesOfTexts(row)),
    itemOf,
    positionOf: ({ row }) => [placeOf(row.number)],
    total: paging.count === true ? await total(reader, source, page) : undefined,
  });
}

async function total<Item>(
  reader: Reader,
  source: FeatureSource,
  { dataset, test }: FeaturePage<Item>,
): Promise<number> {
  if (test.boxes === undefined) {
    return source.where === undefined ? dataset.features : countFeatures(reader, source);
  }
  let count = 0;
  for await (const _tested of matching(reader, source, test, 0)) count += 1;
  return count;
}

/** The features after a place that pass the search, in their order. */
export async function* matching(
  reader: Reader,
  source: FeatureSource,
  test: SpatialTest,
  after: number,
): AsyncGenerator<Tested, void, void> {
  const ticks = new TickShare(source.workspaceId);
  for await (const rows of candidates(reader, source, test.boxes, after)) {
    for (const row of rows) {
      const tested = await ticks.run(test.test(row));
      if (tested !== undefined) yield tested;
    }
  }
}

async function* candidates(
  reader: Reader,
  source: FeatureSource,
  boxes: readonly Box[] | undefined,
  after: number,
): AsyncGenerator<readonly FeatureRecord[], void, void> {
  if (boxes?.length === 0) return;
  const numbers =
    boxes === undefined ? undefined : await numbersInBoxes(reader, source, boxes, foundAtMost + 1);
  if (numbers !== undefined && numbers.length <= foundAtMost) {
    const first = featureNumber(source.generation, after);
    const ordered = numbers.filter((number) => number > first).toSorted((a, b) => a - b);
    for (let at = 0; at < ordered.length; at += rowsAtOnce) {
      yield await featuresOfNumbers(reader, source, ordered.slice(at, at + rowsAtOnce));
    }
    return;
  }
  for (let place = after; ;) {
    const rows = await featuresAfter(reader, source, {
      after: place,
      limit: rowsAtOnce,
      ...given({ boxes }),
    });
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    place = placeOf(last.number);
  }
}
