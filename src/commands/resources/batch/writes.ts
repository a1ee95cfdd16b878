import type * as z from "zod";
import type { Resources } from "#client/records/resources.ts";
import type { BatchAnswer } from "#contract/resources/batch.ts";
import type { CommandContext } from "../../kit/context.ts";
import { dataSource, type DataOptions } from "../../kit/input/data.ts";
import { csvReader, type CsvUse } from "./csv.ts";
import { recordItems, type Preparation } from "./items.ts";
import { runBatch } from "./run.ts";

interface BatchValues extends DataOptions {
  readonly "tenant-id"?: string;
  readonly atomic: boolean;
  readonly columns?: string;
}

interface BatchWrite<Item extends object> {
  readonly use: CsvUse;
  /** The verb of the summary, e.g. `Created`. */
  readonly done: string;
  readonly schema: z.ZodType<Item>;
  readonly prepared: Preparation;
  send(
    records: Resources,
    items: readonly Item[],
    options: { readonly atomic: boolean; readonly signal: AbortSignal },
  ): Promise<BatchAnswer>;
}

/** Writes the records of a source, in JSON or CSV, in batches; returns the exit code. */
export async function writeRecords<Item extends object>(
  context: CommandContext,
  type: string,
  { atomic, columns, "tenant-id": workspace, ...data }: BatchValues,
  { use, done, schema, prepared, send }: BatchWrite<Item>,
): Promise<number> {
  const { signal } = context;
  const source = await dataSource(context, data);
  const rows = new WeakMap<Item, number>();
  const csv = { reader: csvReader(context, workspace, type, use), rows };
  return runBatch<Item>({
    context,
    workspace,
    type,
    items: recordItems(source, schema, csv, prepared),
    isReplayable: source.isReplayable,
    rowOf: (item) => rows.get(item),
    columns,
    done,
    isAtomic: atomic,
    send: (client, items) => send(client.useResources(type), items, { atomic, signal }),
  });
}
