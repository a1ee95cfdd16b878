import * as z from "zod";
import { problem } from "../problems.ts";
import { jsonObject, uuid, type JsonObject } from "../values.ts";

/** Items of one batch request. */
const maximumBatchItems = 1_000;

const isAtomic = z.boolean().optional().describe("All of the items or none");

/**
 * The three shapes of a batch body (spec 4.2): a list, `{ items, atomic }`, or one item. An object
 * with a list `items` is never one item.
 */
function batchBody<Item extends z.ZodType>(item: Item) {
  const items = z.array(item).min(1).max(maximumBatchItems);
  return [items, z.strictObject({ items, atomic: isAtomic })] as const;
}

function hasNoItems(value: object): boolean {
  return !("items" in value && Array.isArray(value.items));
}

/** Records to make: each the data itself or `{ data }` (spec 2.3). */
export const batchCreation = z
  .union([
    ...batchBody(jsonObject),
    jsonObject.refine(hasNoItems, {
      error: "has the list `items` and something unknown",
      abort: true,
    }),
  ])
  .meta({ id: "BatchCreation" });

export const batchUpdateItem = z
  .strictObject({ id: uuid, data: jsonObject, version: z.int().min(1) })
  .meta({ id: "BatchUpdateItem" });
/** One record of a batch: its whole new data, and the version that they were made from. */
export type BatchUpdateItem = z.output<typeof batchUpdateItem>;

/** Whole new data of records, each with the version that it was made from (spec 2.3). */
export const batchUpdate = z
  .union([...batchBody(batchUpdateItem), batchUpdateItem])
  .meta({ id: "BatchUpdate" });

/** With `version`, a record that was changed since is not deleted. */
const batchDeletionItem = z
  .strictObject({ id: uuid, version: z.int().min(1).optional() })
  .meta({ id: "BatchDeletionItem" });

const deletionItem = z.union([uuid, batchDeletionItem]);

/** Records to delete: ids, or `{ id, version }`; also as `{ ids }`. */
export const batchDeletion = z
  .union([
    ...batchBody(deletionItem),
    z.strictObject({ ids: z.array(uuid).min(1).max(maximumBatchItems), atomic: isAtomic }),
    batchDeletionItem,
  ])
  .meta({ id: "BatchDeletion" });

/** As `problem`, of which a deployment may say less for one item than for a request. */
const itemProblem = problem
  .partial()
  .meta({ id: "ItemProblem", description: "Problem details (RFC 9457) of one item" });

/**
 * What came of one item: `status` is what a request of its own would have been answered, `error`
 * its problem, whose pointers lead into the batch's body.
 */
const batchResult = z
  .looseObject({
    /** Place of the item in the request, from 0. */
    index: z.int(),
    id: z.string().optional(),
    status: z.int(),
    version: z.int().optional(),
    error: itemProblem.optional(),
  })
  .meta({ id: "BatchResult" });
/** What came of one item: `status` is what a request of its own would have been answered. */
export type BatchResult = z.output<typeof batchResult>;

/** 200 when all went well, 207 when an item did not. */
export const batchAnswer = z
  .looseObject({ results: z.array(batchResult), succeeded: z.int(), failed: z.int() })
  .meta({ id: "BatchAnswer" });
/** The outcome of each item in the order of the request, and how many went well. */
export type BatchAnswer = z.output<typeof batchAnswer>;

/** A batch in one form, whichever it was sent in. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  readonly isAtomic: boolean;
  /** Items say which record they are of by their `id`. */
  readonly namesRecords: boolean;
  /** Where an item stands in the body, for pointers. */
  placeOf(index: number): readonly (string | number)[];
}

export function batchOfCreation(body: z.output<typeof batchCreation>): Batch<JsonObject> {
  return { ...creationIn(body), namesRecords: false };
}

function creationIn(body: z.output<typeof batchCreation>): Batch<JsonObject> {
  if (Array.isArray(body)) return listed(body, [], undefined);
  // What has a list `items` has passed the schema of lists.
  const { items, atomic } = body as { items?: unknown; atomic?: boolean };
  return Array.isArray(items)
    ? listed(items as JsonObject[], ["items"], atomic)
    : single<JsonObject>(body);
}

export function batchOfUpdate(body: z.output<typeof batchUpdate>): Batch<BatchUpdateItem> {
  if (Array.isArray(body)) return listed(body, [], undefined);
  return "items" in body ? listed(body.items, ["items"], body.atomic) : single(body);
}

export type BatchDeletionItem = z.output<typeof batchDeletionItem>;

export function batchOfDeletion(body: z.output<typeof batchDeletion>): Batch<BatchDeletionItem> {
  const itemOf = (item: string | BatchDeletionItem): BatchDeletionItem =>
    typeof item === "string" ? { id: item } : item;
  if (Array.isArray(body)) return listed(body.map(itemOf), [], undefined);
  if ("items" in body) return listed(body.items.map(itemOf), ["items"], body.atomic);
  return "ids" in body ? listed(body.ids.map(itemOf), ["ids"], body.atomic) : single(body);
}

function listed<Item>(
  items: readonly Item[],
  base: readonly string[],
  atomic: boolean | undefined,
): Batch<Item> {
  return {
    items,
    isAtomic: atomic === true,
    namesRecords: true,
    placeOf: (index) => [...base, index],
  };
}

function single<Item>(item: Item): Batch<Item> {
  return { items: [item], isAtomic: false, namesRecords: true, placeOf: () => [] };
}
