import type {
  ImportOutcome,
  ImportRequest,
  ImportSettings,
  OpenedImport,
  PreviewedRow,
} from "#ui/surface.ts";
import { dirname } from "node:path";
import { Mapping, type MappingFile } from "../mapping.ts";
import { openFile, type FilePlace, type OpenedFile } from "../open-file.ts";
import { openRows } from "../open-rows.ts";
import type { RowFault } from "../row-items.ts";
import type { SettingNames } from "../values.ts";
import { RowFiles } from "../sending/row-files.ts";
import { RowSender, type ImportRun, type ReadRow } from "../sending/row-sender.ts";
import { startImport } from "../sending/start-import.ts";

/** Rows of a preview: more do not fit next to a form. */
const previewedRows = 8;
const shownReasons = 20;
/** The fields of the form, for reasons. */
const fieldNames: SettingNames = {
  dates: "the field (dates)",
  numbers: "the field (numbers)",
  key: "the field (key)",
};
const unknownChoices = { sheet: undefined, separator: undefined, charset: undefined };

/** A file of records for the import form of the dashboard. Throws E304 or E305. */
export async function openFormImport(
  place: Omit<FilePlace, "signal">,
  { client, type, path, signal }: ImportRequest,
): Promise<OpenedImport> {
  const reading = new AbortController();
  const stop = () => reading.abort(signal.reason);
  signal.throwIfAborted();
  // The file is read again after it was opened, when the wait for it has ended.
  signal.addEventListener("abort", stop);
  try {
    const { environment } = place;
    const resolvePath = (given: string) => place.resolvePath(given);
    const own = { environment, resolvePath, signal: reading.signal };
    return await openedForm(own, { client, type, path });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function openedForm(
  place: FilePlace,
  { client, type, path }: Omit<ImportRequest, "signal">,
): Promise<OpenedImport> {
  const opened = await openFile(place, path, unknownChoices);
  const { source, name } = opened;
  const found = await openRows(source, new Mapping(type, {}, fieldNames), {
    settings: {},
    check: "nothing",
    meter: { bytes: 0 },
  });
  // Closes the file after its header.
  await firstRows(found.rows, 1);
  const form: FormImport = { client, type, opened, folder: dirname(path) };
  return {
    name,
    words: `${source.format}${found.headerWords}`,
    columns: found.places.map(({ column, property }) => ({ name: column, property })),
    preview: (settings, stop) => preview(form, settings, stop),
    run: (settings, sent, stop) => run(form, settings, sent, stop),
  };
}

type FormImport = Pick<ImportRequest, "client" | "type"> & {
  readonly opened: OpenedFile;
  readonly folder: string;
};

async function preview(
  form: FormImport,
  settings: ImportSettings,
  signal: AbortSignal,
): Promise<readonly PreviewedRow[]> {
  const { items, rows } = await rowsOf(form, settings, { bytes: 0 });
  const first = await firstRows(rows, previewedRows);
  const outcomes = new Map<number, Pick<PreviewedRow, "outcome" | "reasons">>();
  async function* again() {
    yield first;
  }
  await new RowSender({
    ...partsOf(form, signal),
    items,
    rows: again(),
    progress: undefined,
    share: () => 1,
    rejected: async ({ number }, faults) => {
      outcomes.set(number, { outcome: "rejected", reasons: faults.map(reasonOf) });
    },
    tried: (row, outcome) => outcomes.set(row, { outcome, reasons: [] }),
    sent: () => {},
  }).send();
  return first.flatMap(({ source: { number: row }, reading }): PreviewedRow[] => {
    const outcome = outcomes.get(row);
    const data = "item" in reading ? reading.item.data : {};
    return outcome === undefined ? [] : [{ row, data, ...outcome }];
  });
}

async function run(
  form: FormImport,
  settings: ImportSettings,
  sent: (rows: number) => void,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const { client, type, opened } = form;
  const meter = { bytes: 0 };
  const { items, rows } = await rowsOf(form, settings, meter);
  const parts = [mappingOf(settings)];
  const start = { type: type.slug, opened, parts, isFresh: false, signal };
  const sender = new RowSender({
    ...partsOf(form, signal),
    items,
    rows,
    progress: await startImport(client, start),
    share: () => meter.bytes / Math.max(1, opened.source.size),
    rejected: async () => {},
    tried: () => {},
    sent: (share) => sent(share.rows),
  });
  await sender.send();
  const { faults, ...counts } = sender.counts;
  const reasons = faults
    .slice(0, shownReasons)
    .map((fault) => `row ${fault.row}: ${reasonOf(fault)}`);
  return { ...counts, reasons };
}

function partsOf(
  { client, type: { slug: type }, folder }: FormImport,
  signal: AbortSignal,
): Pick<ImportRun, "client" | "type" | "files" | "signal"> {
  return { client, type, files: new RowFiles({ client, type, folder, signal }), signal };
}

function mappingOf({ columns, key, date, number }: ImportSettings): MappingFile {
  return { columns: { ...columns }, key, date, number };
}

async function rowsOf(
  { type, opened }: FormImport,
  settings: ImportSettings,
  meter: { bytes: number },
) {
  const file = mappingOf(settings);
  return openRows(opened.source, new Mapping(type, file, fieldNames), {
    settings: file,
    check: "every column",
    meter,
  });
}

async function firstRows(
  rows: AsyncIterable<readonly ReadRow[]>,
  count: number,
): Promise<readonly ReadRow[]> {
  const found: ReadRow[] = [];
  for await (const some of rows) {
    found.push(...some.slice(0, count - found.length));
    if (found.length >= count) break;
  }
  return found;
}

function reasonOf({ column, reason }: RowFault): string {
  return column === undefined ? reason : `${column} ${reason}`;
}
