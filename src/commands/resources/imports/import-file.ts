import { createHash } from "node:crypto";
import { shown } from "#cli/shown.ts";
import { inputError, missingField, usageError } from "#cli/errors.ts";
import { mayLackRoute } from "#client/failures.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError, catalogError, exitCodes } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { RecordImport } from "#contract/resources/imports.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import type { CommandContext } from "../../kit/context.ts";
import { checkedFile } from "../../kit/input/checked-file.ts";
import { confirm } from "../../kit/input/confirm.ts";
import { parseJson, readText } from "../../kit/input/data.ts";
import { headerRange } from "./header.ts";
import { mappedByFlags, Mapping, mappingFile, type MappingFile } from "./mapping.ts";
import { deleteMissing, missingRecords, type MissingRecord } from "./missing.ts";
import { openFile, type OpenedFile } from "./open-file.ts";
import { isReason, Rejects } from "./rejects.ts";
import { reportLines, type ColumnPlace, type ImportReport } from "./report.ts";
import { RowItems } from "./row-items.ts";
import { RowSender, type ReadRow } from "./run.ts";
import { openTable, type SkippedRow } from "./table-rows.ts";

/** Rows of a dry run that the answer has. */
const heldRows = 10_000;
const reportHint = "`svc verify calls` reports what the platform has";

export interface ImportOptions {
  readonly "tenant-id"?: string;
  readonly "dry-run": boolean;
  readonly map: readonly string[];
  readonly mapping?: string;
  readonly "skip-unmatched": boolean;
  readonly key?: string;
  readonly "delete-missing": boolean;
  readonly force: boolean;
  readonly rejects?: string;
  readonly dates?: string;
  readonly numbers?: string;
  readonly "time-zone"?: string;
  readonly sheet?: string;
  readonly header?: string;
  readonly separator?: string;
  readonly charset?: string;
  readonly fresh: boolean;
}

interface Job {
  readonly context: CommandContext;
  readonly client: Client;
  readonly type: string;
  readonly opened: OpenedFile;
  readonly options: ImportOptions;
  readonly settings: MappingFile;
}

/** Imports a file; returns the exit code. */
export async function importFile(
  context: CommandContext,
  type: string,
  path: string,
  options: ImportOptions,
): Promise<number> {
  const settings = await settingsOf(context, options);
  const opened = await openFile(context, path, {
    sheet: options.sheet ?? settings.sheet,
    separator: options.separator,
    charset: options.charset,
  });
  try {
    const client = await context.client({ workspace: options["tenant-id"] });
    const { objectTypes } = await client.objectTypes.schema({ signal: context.signal });
    const definition = objectTypes.find(({ slug }) => slug === type);
    if (definition === undefined) throw catalogError("E202", { resource: `Object Type ${type}` });
    if (Object.keys(definition.properties).length === 0) {
      const details = `the platform names no properties of ${type}`;
      throw catalogError("E203", { details }, { hint: reportHint });
    }
    return await imported({ context, client, type, opened, options, settings }, definition);
  } finally {
    await opened.close();
  }
}

/** The mapping of the file, with what the flags say. */
async function settingsOf(context: CommandContext, options: ImportOptions): Promise<MappingFile> {
  const { mapping: path } = options;
  const text = path === undefined ? "{}" : await readText(context, `@${path}`, "--mapping");
  const file = checkedFile(mappingFile, parseJson(text, path ?? "--mapping"), path ?? "--mapping");
  const flags = given({
    date: options.dates,
    number: options.numbers,
    timeZone: options["time-zone"],
    key: options.key,
    header: options.header,
  });
  const columns = { ...file.columns, ...mappedByFlags(options.map) };
  return checkedFile(mappingFile, { ...file, ...flags, columns }, "--mapping");
}

async function imported(job: Job, definition: ObjectType): Promise<number> {
  const { context, client, type, opened, options, settings } = job;
  const { key } = settings;
  if (key !== undefined && definition.properties[key]?.unique !== true) {
    throw usageError(`--key ${key} is not a unique property of ${type}`);
  }
  const meter = { bytes: 0 };
  const table = await rowsOf(job, new Mapping(definition, settings), meter);
  if (options["delete-missing"] && key === undefined) throw missingField("--key");
  if (options["delete-missing"]) requireWholeFile(opened, table.names);
  await context.output.note(shown`${opened.name}: ${opened.source.format}${table.headerWords}`);
  if (table.places.length > 0) await context.output.note(shown`${pairsOf(table.places)}`);
  const isDryRun = options["dry-run"];
  const progress = isDryRun ? undefined : await startedImport(job);
  const rejects =
    options.rejects === undefined
      ? undefined
      : await Rejects.create(context.resolvePath(options.rejects), opened.source, table.names);
  const tried: ImportReport["rows"][number][] = [];
  const sender = new RowSender({
    context,
    client,
    type,
    items: table.items,
    rows: table.rows,
    progress,
    share: () => meter.bytes / Math.max(1, opened.source.size),
    rejected: async (row, faults) => rejects?.add(row, faults),
    tried: (row, action) => {
      if (tried.length < heldRows) tried.push({ row, action });
    },
  });
  try {
    await sender.send();
    await rejects?.end();
  } catch (error) {
    await rejects?.discard();
    if (progress !== undefined) await context.output.note(shown`${continueWords}`);
    throw error;
  }
  const { counts } = sender;
  const removal = await removeMissing(job, table.items, progress, counts.rejected);
  const report: ImportReport = {
    importId: progress?.id ?? null,
    format: opened.source.format,
    columns: table.places,
    ...counts,
    ...removal,
    dryRun: isDryRun,
    skipped: table.skipped,
    rows: tried,
    rejects: options.rejects ?? null,
  };
  await context.output.data(report, () => reportLines(context, type, report));
  return counts.rejected > 0 ? exitCodes.failed : exitCodes.done;
}

const continueWords = "The rows so far are written. The same command continues after them.";

interface OpenRows {
  readonly items: RowItems;
  readonly rows: AsyncIterable<readonly ReadRow[]>;
  readonly skipped: readonly SkippedRow[];
  readonly names: readonly (string | undefined)[];
  readonly places: readonly ColumnPlace[];
  readonly headerWords: string;
}

async function rowsOf(job: Job, mapping: Mapping, meter: { bytes: number }): Promise<OpenRows> {
  const { options, settings, opened } = job;
  const { source } = opened;
  if (source.kind === "json") {
    const items = new RowItems(mapping, settings.key);
    async function* read(chunks: AsyncIterable<readonly Parameters<RowItems["ofJson"]>[0][]>) {
      for await (const rows of chunks) {
        yield rows.map((row) => ({ source: row, reading: items.ofJson(row) }));
      }
    }
    const rows = read(source.rows(meter));
    return { items, rows, skipped: [], names: [], places: [], headerWords: "" };
  }
  const table = await openTable(source, meter, {
    given: settings.header === undefined ? undefined : headerRange(settings.header),
    matches: (name) => mapping.column(name) !== undefined,
  });
  const { names, lastRow } = table.header;
  mapping.check(names, options["skip-unmatched"]);
  const items = new RowItems(mapping, settings.key, names);
  const isCsv = source.format.startsWith("CSV");
  async function* read() {
    for await (const rows of table.rows) {
      yield rows.map((row) => ({ source: row, reading: items.ofTable(row, isCsv) }));
    }
  }
  const places = names.flatMap((column): ColumnPlace[] =>
    column === undefined ? [] : [{ column, property: mapping.column(column)?.property ?? null }],
  );
  const headerWords = `, header in row ${lastRow}`;
  return { items, rows: read(), skipped: table.skipped, names, places, headerWords };
}

function pairsOf(places: readonly ColumnPlace[]): string {
  const pair = ({ column, property }: ColumnPlace): string =>
    `${column} → ${property ?? "(left out)"}`;
  return places.map(pair).join(", ");
}

/** The import of this file and mapping; one that was interrupted continues. */
async function startedImport(job: Job): Promise<RecordImport> {
  const { context, client, type, opened, options, settings } = job;
  const parts = [opened.facts.sha256, type, settings, options.separator, options.charset];
  const again = options.fresh ? crypto.randomUUID() : "";
  const digest = createHash("sha256")
    .update(JSON.stringify([...parts, options.sheet, options["skip-unmatched"], again]))
    .digest("hex");
  const body = { digest, filename: opened.name.slice(0, 255) };
  try {
    const { signal } = context;
    const started = await client.imports.start({ params: { objectType: type }, body, signal });
    if (started.row > 0) {
      await context.output.note(shown`Continues the import of this file after row ${started.row}`);
    }
    return started;
  } catch (error) {
    if (!(error instanceof CatalogError) || !mayLackRoute(error)) throw error;
    const details = "this platform has no imports";
    const hint = `\`svc resources batch-create\` sends the rows of a CSV; ${reportHint}`;
    throw catalogError("E203", { details }, { hint, cause: error });
  }
}

/** Refuses --delete-missing where the file may not have all rows. */
function requireWholeFile(
  { name, source, isStdin }: OpenedFile,
  names: readonly (string | undefined)[],
): void {
  const hint = "Import it without --delete-missing";
  if (names.some((column) => column !== undefined && isReason(column))) {
    throw inputError(`${name} is a file of rejected rows, which has not all records`, hint);
  }
  if (!isStdin && source.showsItsEnd) return;
  throw inputError(`the end of ${name} is not proven: it has no line end, or is a pipe`, hint);
}

async function removeMissing(
  { context, client, type, options, settings }: Job,
  items: RowItems,
  progress: RecordImport | undefined,
  rejected: number,
): Promise<Pick<ImportReport, "missing" | "deleted">> {
  const { key } = settings;
  if (!options["delete-missing"] || key === undefined) return { missing: null, deleted: 0 };
  if (rejected > 0) {
    await context.output.note(
      shown`Deleted nothing, because ${counted(rejected, "row")} was rejected`,
    );
    return { missing: null, deleted: 0 };
  }
  const { signal } = context;
  const before = progress?.created_at ?? new Date().toISOString();
  const missing: readonly MissingRecord[] = await missingRecords(client, {
    type,
    key,
    keys: items.keys,
    before,
    signal,
  });
  const count = missing.length;
  if (progress === undefined || count === 0) return { missing: count, deleted: 0 };
  const question = `Delete ${counted(count, "record")} of ${type} without a row?`;
  if (!options.force) await confirm(context, question, "--force");
  return { missing: count, deleted: await deleteMissing(client, type, missing, signal) };
}
