import type { BatchAnswer, BatchOperation, BatchUpdateItem } from "#contract/resources/batch.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import type { ClientCalls } from "../calls.ts";
import type { CallOptions } from "../options.ts";

/** Options of a batch of writes. */
export interface BatchOptions extends CallOptions {
  /** All items or none: one refused item rejects the call (default false). */
  readonly atomic?: boolean | undefined;
}

/** One write of a batch of several kinds. */
export type BatchItem<Data = JsonObject, NewData = Data> =
  | { readonly op: "create"; readonly data: NewData }
  | { readonly op: "update"; readonly id: string; readonly data: Data; readonly version: number }
  | {
      readonly op: "patch";
      readonly id: string;
      readonly data: PatchOf<Data>;
      readonly version?: number | undefined;
    }
  | {
      readonly op: "upsert";
      readonly property: Extract<keyof Data, string>;
      readonly value: string | number | boolean;
      readonly data: PatchOf<Data>;
      readonly replace?: boolean | undefined;
    }
  | { readonly op: "delete"; readonly id: string; readonly version?: number | undefined };

/** Changes of some properties; `null` removes one, and objects are merged (RFC 7396). */
export type PatchOf<Data> = { readonly [Name in keyof Data]?: PatchValueOf<Data[Name]> | null };

type PatchValueOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? PatchOf<Value>
    : Value;

/** Options of a property's distinct values. */
export function batchVerbs<Data, NewData>({ resources: calls }: ClientCalls, objectType: string) {
  const params = { objectType };
  return {
    /**
     * Creates, changes and deletes up to 1,000 records in the order of the items, with a separate
     * outcome for each; `atomic`: all or none. A record may be named once.
     */
    async batch(
      items: readonly BatchItem<Data, NewData>[],
      options: BatchOptions = {},
    ): Promise<BatchAnswer> {
      const { call, atomic } = batchCall(options);
      const body = { items: operations(items), ...atomic };
      const input = { ...call, params };
      const send = async (): Promise<BatchAnswer> => {
        try {
          return await calls.batch({ ...input, body });
        } catch (error) {
          const { batchOfOneKind } = await import("./batch-by-kind.ts");
          return await batchOfOneKind(calls, input, body, error);
        }
      };
      return await checked(send(), items.length);
    },
    /** Creates up to 1,000 records, with a separate outcome for each; `atomic`: all or none. */
    async batchCreate(items: readonly NewData[], options: BatchOptions = {}): Promise<BatchAnswer> {
      const { call, atomic } = batchCall(options);
      const body = { items: items.map((item) => creationItem(untyped(item))), ...atomic };
      return await checked(calls.batchCreate({ ...call, params, body }), items.length);
    },
    /** Replaces the data of up to 1,000 records; each item has the version that it is based on. */
    async batchUpdate(
      items: readonly (Omit<BatchUpdateItem, "data"> & { readonly data: Data })[],
      options: BatchOptions = {},
    ): Promise<BatchAnswer> {
      const { call, atomic } = batchCall(options);
      const body = {
        items: items.map((item) => ({ ...item, data: untyped(item.data) })),
        ...atomic,
      };
      return await checked(calls.batchUpdate({ ...call, params, body }), items.length);
    },
    /** Deletes up to 1,000 records, with a separate outcome for each; `atomic`: all or none. */
    async batchDelete(ids: readonly string[], options: BatchOptions = {}): Promise<BatchAnswer> {
      const { call, atomic } = batchCall(options);
      const body = { ids: [...ids], ...atomic };
      return await checked(calls.batchDelete({ ...call, params, body }), ids.length);
    },
  };
}

/** The data of a typed record as the JSON that is sent. */
export function untyped<Data>(data: Data): JsonObject;
export function untyped(data: unknown): unknown {
  return data;
}

/** The items of a batch as the JSON that is sent. */
function operations<Data, NewData>(items: readonly BatchItem<Data, NewData>[]): BatchOperation[];
function operations(items: unknown): unknown {
  return items;
}

/** The item `{ data }` (spec 2.3); an object with only an object `data` already is one. */
function creationItem(item: JsonObject): JsonObject {
  return Object.keys(item).length === 1 && isJsonObject(item["data"]) ? item : { data: item };
}

/** Leaves `atomic: false` out: a deployment may not know atomic batches. */
function batchCall({ atomic, ...call }: BatchOptions) {
  return { call, atomic: atomic === true ? ({ atomic: true } as const) : {} };
}

/** The response to a batch, with one outcome for each item. */
async function checked(answer: Promise<BatchAnswer>, count: number): Promise<BatchAnswer> {
  const [{ withEach }, batch] = await Promise.all([import("../answer/batch-answer.ts"), answer]);
  return withEach(batch, count);
}
