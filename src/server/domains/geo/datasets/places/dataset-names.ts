import type { Reader } from "../../../../database/database.ts";
import { inBackground } from "../../../../kit/background.ts";
import { RecentMap } from "../../../../kit/recent-map.ts";
import { KeyedLock } from "../../../../kit/turns/keyed-lock.ts";
import type { PlatformBase } from "../../../base.ts";
import { nameProperties, type DatasetRecord } from "../dataset-store.ts";
import { placeOf } from "../feature-store.ts";
import { keysOf, namesOf } from "./feature-names.ts";
import { changedProperties, propertiesAfter } from "./name-store.ts";
import { NameTable } from "./name-table.ts";

/** Entries of one dataset; names after them are not found. Each has 8 bytes. */
const mostEntries = 4_000_000;
const mostEntriesOfAll = 12_000_000;
const rowsAtOnce = 1_000;
/** Changed features of a larger dataset are read while its earlier names answer. */
const readAtOnce = 20_000;
const mostChanged = 10_000;
/** Clocks of platforms differ by less than this. */
const clockSlackMs = 60_000;

interface Known {
  readonly table: NameTable;
  /** The version of the dataset whose new and changed features the table has. */
  version: number;
  lastPlace: number;
  changedAt: string;
  entriesAtFirst: number;
}

/** The names of the features of datasets, which a first search reads. */
export class DatasetNames {
  readonly #known = new RecentMap<string, Known>(mostEntriesOfAll, {
    weightOf: ({ table }) => table.size + 1,
  });
  readonly #lock = new KeyedLock();

  constructor(private readonly base: Pick<PlatformBase, "platformWork" | "logger">) {}

  /** The names of this version of a dataset; they outlive the request that reads them. */
  async of(dataset: DatasetRecord): Promise<NameTable> {
    const names = dataset.name_properties ?? "";
    const key = `${dataset.workspace_id} ${dataset.generation} ${names}`;
    const known = this.#known.get(key);
    if (known !== undefined && known.version >= dataset.version) return known.table;
    return this.#lock.run(key, async () => {
      const current = this.#known.get(key);
      if (current !== undefined && current.version >= dataset.version) return current.table;
      return this.#read(key, dataset, current);
    });
  }

  async #read(key: string, dataset: DatasetRecord, before: Known | undefined): Promise<NameTable> {
    const { workspace_id: workspaceId, version, updated_at } = dataset;
    const work = this.base.platformWork("names of features").within(workspaceId);
    const reader = work.scan.with({ share: workspaceId });
    const known = before ?? {
      table: new NameTable(),
      version,
      lastPlace: 0,
      changedAt: updated_at,
      entriesAtFirst: 0,
    };
    await addNew(reader, dataset, known);
    if (before === undefined) known.entriesAtFirst = known.table.size;
    else {
      const changed = addChanged(reader, dataset, known);
      if (dataset.features <= readAtOnce) await changed;
      else inBackground(this.base.logger, "names-of-features-not-read", () => changed);
    }
    [known.version, known.changedAt] = [version, updated_at];
    // Former names stay in the table: with many of them it is read again.
    const hasManyFormer = known.table.size > 2 * known.entriesAtFirst + readAtOnce;
    if (hasManyFormer) this.#known.delete(key);
    else this.#known.set(key, known);
    return known.table;
  }
}

async function addNew(reader: Reader, dataset: DatasetRecord, known: Known): Promise<void> {
  const { workspace_id: workspaceId, generation } = dataset;
  for (let isLast = false; !isLast;) {
    const source = { workspaceId, generation };
    const rows = await propertiesAfter(reader, source, known.lastPlace, rowsAtOnce);
    addNames(known.table, rows, nameProperties(dataset));
    known.lastPlace = placeOf(rows.at(-1)?.number ?? known.lastPlace);
    isLast = rows.length < rowsAtOnce;
  }
  known.table.settle();
}

async function addChanged(reader: Reader, dataset: DatasetRecord, known: Known): Promise<void> {
  const { workspace_id: workspaceId, generation } = dataset;
  const since = new Date(Date.parse(known.changedAt) - clockSlackMs).toISOString();
  addNames(
    known.table,
    await changedProperties(reader, { workspaceId, generation }, since, mostChanged),
    nameProperties(dataset),
  );
  known.table.settle();
}

function addNames(
  table: NameTable,
  rows: readonly { readonly number: number; readonly properties: string }[],
  declared: readonly string[],
): void {
  for (const { number, properties } of rows) {
    if (table.size >= mostEntries) return;
    // The store has checked the text before it wrote it.
    const names = namesOf(JSON.parse(properties) as Record<string, unknown>, declared);
    for (const key of keysOf(names)) table.add(key, placeOf(number));
  }
}
