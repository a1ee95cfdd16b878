import * as z from "zod";
import { isJsonObject } from "#lib/json/value.ts";
import { problem } from "../problems.ts";
import { alsoNamed, otherwise } from "../deployments.ts";
import { rule } from "../plain/rule.ts";
import { jsonObject, storedId, type JsonObject } from "../values.ts";

const maximumBatchItems = 1_000;

const isAtomic = z.boolean().optional().describe("All items or none");

/** The listed forms of a batch body (spec 4.2): a list, or `{ items, atomic }`; else one item. */
function batchBody<Item extends z.ZodType>(item: Item) {
  const items = z.array(item).min(1).max(maximumBatchItems);
  return [items, z.strictObject({ items, atomic: isAtomic })] as const;
}

/** Records to create: each is `{ data }` (spec 2.3), or its data. */
export const batchCreation = z
  .union([
    ...batchBody(jsonObject),
    jsonObject.refine(rule("no items"), {
      error: "may have only `items` and `atomic` where `items` is a list",
      abort: true,
    }),
  ])
  .meta({ id: "BatchCreation" });

/** True for the form `{ items }` of a {@link batchCreation}, which needs no other check. */
export function isListOfRecords(body: unknown): boolean {
  if (!isJsonObject(body) || Object.keys(body).length !== 1) return false;
  const { items } = body;
  if (!Array.isArray(items) || items.length === 0) return false;
  return items.length <= maximumBatchItems && items.every(isJsonObject);
}

export const batchUpdateItem = z
  .strictObject({ id: storedId, data: jsonObject, version: z.int().min(1) })
  .meta({ id: "BatchUpdateItem" });
/** One record of a batch: its whole new data, and the version that the data is based on. */
export type BatchUpdateItem = z.output<typeof batchUpdateItem>;

export const batchUpdate = z
  .union([...batchBody(batchUpdateItem), batchUpdateItem])
  .meta({ id: "BatchUpdate" });

/** An item to delete; with `version` it is deleted in that version only. */
const batchDeletionItem = z
  .strictObject({ id: storedId, version: z.int().min(1).optional() })
  .meta({ id: "BatchDeletionItem" });

const deletionItem = z.union([storedId, batchDeletionItem]);

/** Records to delete: ids, or `{ id, version }`; also as `{ ids }`. */
export const batchDeletion = z
  .union([
    ...batchBody(deletionItem),
    z.strictObject({ ids: z.array(storedId).min(1).max(maximumBatchItems), atomic: isAtomic }),
    batchDeletionItem,
  ])
  .meta({ id: "BatchDeletion" });

const itemData = jsonObject.describe("The record's data, or the changes of a patch (RFC 7396)");

export const batchOperation = z
  .discriminatedUnion("op", [
    z.strictObject({ op: z.literal("create"), data: itemData }),
    z.strictObject({ op: z.literal("update"), ...batchUpdateItem.shape }),
    z.strictObject({
      op: z.literal("patch"),
      ...batchUpdateItem.partial({ version: true }).shape,
    }),
    z.strictObject({
      op: z.literal("upsert"),
      property: z.string().min(1).max(128),
      value: z.union([z.string().min(1).max(2048), z.number(), z.boolean()]),
      data: itemData,
      replace: z.boolean().optional(),
    }),
    z.strictObject({ op: z.literal("delete"), ...batchDeletionItem.shape }),
  ])
  .meta({ id: "BatchOperation" });
/** One write of a batch, as the route of its name takes it. */
export type BatchOperation = z.output<typeof batchOperation>;

/**
 * Writes in the order of the items. A record may be named once in a batch. The items are written in
 * transactions of up to 200 items; with `atomic` in one.
 */
export const batchOperations = z
  .strictObject({
    items: z.array(batchOperation).min(1).max(maximumBatchItems),
    atomic: isAtomic,
    dryRun: z.boolean().optional().describe("Answers as if it were written, and writes nothing"),
  })
  .meta({ id: "BatchOperations" });

/** The problem of an item; other deployments may leave members out. */
const itemProblem = problem
  .partial()
  .meta({ id: "ItemProblem", description: "Problem details (RFC 9457) of one item" });

const batchResult = z
  .looseObject({
    /** Position of the item in the request, from 0. */
    index: otherwise(z.int(), "position"),
    id: z.string().optional(),
    /** Other deployments may send a word, a flag or only an error. */
    status: otherwise(z.int(), "item status"),
    version: z.int().optional(),
    error: itemProblem.optional(),
  })
  .meta({ id: "BatchResult" });
/** One item's outcome, as for a separate request; pointers lead into the batch's body. */
export type BatchResult = z.output<typeof batchResult>;

/** 200 when all items succeeded, else 207. */
export const batchAnswer = z
  .looseObject({
    results: alsoNamed(z.array(batchResult), "created", "updated", "deleted", "ids"),
    succeeded: otherwise(alsoNamed(z.int(), "successCount", "succeededCount"), "succeeded"),
    failed: otherwise(alsoNamed(z.int(), "errorCount", "failureCount", "failedCount"), "failed"),
  })
  .meta({ id: "BatchAnswer" });
/** The outcome of each item in the order of the request, with counts. */
export type BatchAnswer = z.output<typeof batchAnswer>;

/** A batch body of any form, normalised. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  readonly isAtomic: boolean;
  /** True if items name existing records by `id`. */
  readonly namesRecords: boolean;
  /** The path of an item in the body, for pointers. */
  placeOf(index: number): readonly (string | number)[];
}

export function batchOfCreation(body: z.output<typeof batchCreation>): Batch<JsonObject> {
  if (Array.isArray(body)) return listed(body, [], undefined, false);
  // A body with a list `items` has passed the schema of lists.
  const { items, atomic } = body as { items?: unknown; atomic?: boolean };
  return Array.isArray(items)
    ? listed(items as JsonObject[], ["items"], atomic, false)
    : single<JsonObject>(body, false);
}

export function batchOfUpdate(body: z.output<typeof batchUpdate>): Batch<BatchUpdateItem> {
  if (Array.isArray(body)) return listed(body, [], undefined);
  return "items" in body ? listed(body.items, ["items"], body.atomic) : single(body);
}

export function batchOfOperations({
  items,
  atomic,
}: z.output<typeof batchOperations>): Batch<BatchOperation> {
  return listed(items, ["items"], atomic);
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
  namesRecords = true,
): Batch<Item> {
  const placeOf = (index: number) => [...base, index];
  return { items, isAtomic: atomic === true, namesRecords, placeOf };
}

function single<Item>(item: Item, namesRecords = true): Batch<Item> {
  return { items: [item], isAtomic: false, namesRecords, placeOf: () => [] };
}
