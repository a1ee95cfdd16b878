import { dirname } from "node:path";
import { shown } from "#cli/shown.ts";
import { inputError, missingField, usageError } from "#cli/errors.ts";
import type { Client } from "#client/surface.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { RecordImport } from "#contract/resources/imports.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import type { CommandContext } from "../../kit/context.ts";
import { checkedFile } from "../../kit/input/checked-file.ts";
import { confirm } from "../../kit/input/confirm.ts";
import { parseJson, readText } from "../../kit/input/data.ts";
import { mappedByFlags, Mapping, mappingFile, type MappingFile } from "./mapping.ts";
import { deleteMissing, missingRecords, type MissingRecord } from "./missing.ts";
import { openFile, type OpenedFile } from "./open-file.ts";
import { isReason, Rejects } from "./rejects.ts";
import { reportLines, type ColumnPlace, type ImportReport } from "./report.ts";
import { openRows } from "./open-rows.ts";
import type { RowItems } from "./row-items.ts";
import { RowFiles } from "./sending/row-files.ts";
import { RowSender, type SentShare } from "./sending/row-sender.ts";
import { reportHint, startImport } from "./sending/start-import.ts";

/** Rows of a dry run that the answer has. */
const heldRows = 10_000;

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
  readonly files?: string;
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
  readonly path: string;
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
    return await imported({ context, path, client, type, opened, options, settings }, definition);
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
  const table = await openRows(opened.source, new Mapping(definition, settings), {
    settings,
    check: options["skip-unmatched"] ? "places" : "every column",
    meter,
  });
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
  const { signal } = context;
  const files = new RowFiles({ client, type, folder: filesFolder(job), signal });
  const sender = new RowSender({
    signal,
    client,
    type,
    items: table.items,
    files,
    rows: table.rows,
    progress,
    share: () => meter.bytes / Math.max(1, opened.source.size),
    sent: (share) => context.output.progress(shareWords(share)),
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
    files: files.counts,
    ...removal,
    dryRun: isDryRun,
    skipped: table.skipped,
    rows: tried,
    rejects: options.rejects ?? null,
  };
  await context.output.data(report, () => reportLines(context, type, report));
  return counts.rejected > 0 || removal.kept.length > 0 ? exitCodes.failed : exitCodes.done;
}

const continueWords = "The rows so far are written. The same command continues after them.";

function pairsOf(places: readonly ColumnPlace[]): string {
  const pair = ({ column, property }: ColumnPlace): string =>
    `${column} → ${property ?? "(left out)"}`;
  return places.map(pair).join(", ");
}

function shareWords({ rows, share, rowsPerSecond, secondsLeft }: SentShare): string {
  const [count, rate] = [rows.toLocaleString("en"), rowsPerSecond.toLocaleString("en")];
  const percent = Math.floor(share * 100);
  return `${count} rows, ${percent} %, ${rate} rows per second, ${secondsLeft} s left`;
}

/** The import of this file and mapping; one that was interrupted continues. */
async function startedImport(job: Job): Promise<RecordImport> {
  const { context, client, type, opened, options, settings } = job;
  const { separator, charset, sheet, fresh } = options;
  const started = await startImport(client, {
    type,
    opened,
    parts: [settings, separator, charset, sheet, options["skip-unmatched"]],
    isFresh: fresh,
    signal: context.signal,
  });
  if (started.row > 0) {
    await context.output.note(shown`Continues the import of this file after row ${started.row}`);
  }
  return started;
}

/** The folder of the files that rows name: that of the table, unless --files names another. */
function filesFolder({ context, path, options }: Job): string {
  const own = path === "-" ? "." : dirname(path);
  return context.resolvePath(options.files ?? own);
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
): Promise<Pick<ImportReport, "missing" | "deleted" | "kept">> {
  const { key } = settings;
  const nothing = { deleted: 0, kept: [] };
  if (!options["delete-missing"] || key === undefined) return { missing: null, ...nothing };
  if (rejected > 0) {
    await context.output.note(
      shown`Deleted nothing, because ${counted(rejected, "row")} was rejected`,
    );
    return { missing: null, ...nothing };
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
  if (progress === undefined || count === 0) return { missing: count, ...nothing };
  const question = `Delete ${counted(count, "record")} of ${type} without a row?`;
  if (!options.force) await confirm(context, question, "--force");
  return { missing: count, ...(await deleteMissing(client, type, missing, signal)) };
}
