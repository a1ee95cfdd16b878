import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Reader } from "../../database/database.ts";
import { TickShare } from "../../kit/turns/tick-share.ts";
import {
  searchedProperties,
  searchEntry,
  searchTermsVersion,
  type SearchedProperty,
} from "../../text/search/searched-texts.ts";
import {
  compileObjectType,
  objectTypeBySlug,
  type StoredObjectType,
} from "../object-types/service.ts";
import { keysOf, writtenColumns, type SlotColumn } from "../../fields/slots.ts";
import { textOrderVersion } from "../../text/order/folded-text.ts";
import { isFolded } from "./store/indexes/folds.ts";
import { allKeyedRows } from "./store/indexes/keyed-rows.ts";
import { linkPages, missingLinks, strayLinks } from "./indexes/link-check.ts";
import { presentLinks, type SourcedLink } from "./store/links.ts";
import { presentIds, recordsByIds } from "./store/records.ts";
import { countStrayEntries, entryChecksums } from "./store/search/entries.ts";
import { keptPromise } from "../../kit/background.ts";

export interface InspectOptions {
  readonly reader: Reader;
  readonly type: StoredObjectType;
  /** Maximum number of records to check. */
  readonly limit: number;
  /** Deadline on the clock of `performance.now()`; none by default. */
  readonly endsAtMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The properties that the report may name; all if absent. */
  readonly mayName?: ((property: string) => boolean) | undefined;
}

/** Receives the faults of records, one by one. */
export interface RecordFaults {
  /** A record does not match its type; the text has its id and the first fault. */
  readonly unfit: (fault: string) => void;
  /** A record refers to one that does not exist; the text has its id and the reference. */
  readonly dangling: (fault: string) => void;
  /** The search entry of a record differs from its data. */
  readonly unsearchable: (id: string) => void;
  /** A record's links differ from its references; the text has its id and the reference. */
  readonly mislinked: (fault: string) => void;
  /** The folded texts of a record, by which texts sort, differ from its data. */
  readonly unordered: (id: string) => void;
  /** An index column differs from a record's data. */
  readonly outOfStep: (column: SlotColumn, id: string) => void;
}

export interface Inspected {
  readonly checked: number;
  /** False when the limit or the deadline stopped the check. */
  readonly complete: boolean;
  /** Number of search entries without a record. */
  readonly strayEntries: number;
}

/** Compares a type's records with its definition, references, index columns and search entries. */
export async function inspectRecords(
  options: InspectOptions,
  faults: RecordFaults,
): Promise<Inspected> {
  const { reader, type, limit, endsAtMs = Infinity, signal } = options;
  const { mayName = () => true } = options;
  const share = new TickShare();
  const { check } = compileObjectType(type, reader.dialect);
  const columns = readyColumns(type);
  const entries = new EntryCheck(reader, type, faults.unsearchable);
  const references = new ReferenceCheck(reader, type, { onFault: faults.dangling, mayName });
  const links = new LinkCheck(reader, type, { onFault: faults.mislinked, mayName });
  let checked = 0;
  let complete = true;
  const { workspace_id: workspaceId, number } = type;
  for await (const { id, data: text, folds, keys } of allKeyedRows(
    reader,
    { workspaceId, number },
    columns,
  )) {
    signal?.throwIfAborted();
    await share.yieldWhenUsed();
    if (checked === limit || performance.now() >= endsAtMs) {
      complete = false;
      break;
    }
    checked += 1;
    const data = JSON.parse(text) as JsonObject;
    const { faults: found, references: uses } = check(data, { isCreation: false, stored: data });
    const [fault] = found;
    await references.add(id, uses);
    if (fault !== undefined) {
      const words = `${fault.pointer} ${fault.detail}`;
      faults.unfit(`${id} ${mayName(propertyAt(fault.pointer)) ? words : unnamed}`);
    }
    await entries.add(id, data);
    await links.add({ id, data: text });
    // A type whose texts are still being folded has no fault.
    const isOrdered = type.text_order >= textOrderVersion;
    if (isOrdered && !isFolded({ data: text, folds }, reader.dialect)) faults.unordered(id);
    keysOf(columns, data).forEach((key, index) => {
      const column = columns[index];
      if (column !== undefined && keys[index] !== key) faults.outOfStep(column, id);
    });
  }
  await references.end();
  complete = (await links.end({ limit, endsAtMs, signal })) && complete;
  return { checked, complete, strayEntries: await entries.end() };
}

const unnamed = "has it in a property that you may not read";

/** The top-level name in a pointer such as `#/data/name`. */
function propertyAt(place: string): string {
  return place.replace(/^#\//, "").split("/")[0] ?? "";
}

/** The columns in use: one that is being filled or emptied is no fault. */
function readyColumns({ slots, definition }: StoredObjectType): readonly SlotColumn[] {
  const ready = slots.filter((slot) => slot.state === "ready");
  return writtenColumns(ready, definition.properties);
}

const referencesAtOnce = 500;

interface Use extends ReferenceUse {
  /** The id of the record that has the reference. */
  readonly from: string;
}

/** Finds references of a type's records to records that do not exist, in batches. */
class ReferenceCheck {
  readonly #targets = new Map<string, Promise<StoredObjectType | undefined>>();
  #uses: Use[] = [];

  constructor(
    private readonly reader: Reader,
    private readonly type: StoredObjectType,
    private readonly report: {
      readonly onFault: RecordFaults["dangling"];
      readonly mayName: (property: string) => boolean;
    },
  ) {}

  async add(from: string, references: readonly ReferenceUse[]): Promise<void> {
    for (const reference of references) this.#uses.push({ ...reference, from });
    if (this.#uses.length >= referencesAtOnce) await this.end();
  }

  /** Checks the references so far; call it after the last record. */
  async end(): Promise<void> {
    const uses = this.#uses;
    this.#uses = [];
    const present = new Map<string, ReadonlySet<string>>();
    for (const [slug, ofType] of Map.groupBy(uses, (use) => use.targetObjectType)) {
      present.set(slug, await this.#presentOf(slug, [...new Set(ofType.map(({ id }) => id))]));
    }
    for (const { from, pointer, targetObjectType: slug, id } of uses) {
      if (present.get(slug)?.has(id) === true) continue;
      const { onFault, mayName } = this.report;
      onFault(`${from} ${mayName(propertyAt(pointer)) ? `${pointer} ${slug} ${id}` : unnamed}`);
    }
  }

  async #presentOf(slug: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { workspace_id: workspaceId } = this.type;
    const known = this.#targets.get(slug) ?? objectTypeBySlug(this.reader, workspaceId, slug);
    this.#targets.set(slug, keptPromise(known));
    const target = await known;
    const present = new Set<string>();
    for (let start = 0; target !== undefined && start < ids.length; start += referencesAtOnce) {
      const some = ids.slice(start, start + referencesAtOnce);
      const found = await presentIds(this.reader, { workspaceId, number: target.number }, some);
      for (const id of found) present.add(id);
    }
    return present;
  }
}

const linkedAtOnce = 200;

/** Compares a type's links with the references in its records, in batches. */
class LinkCheck {
  #rows: { readonly id: string; readonly data: string }[] = [];

  constructor(
    private readonly reader: Reader,
    private readonly type: StoredObjectType,
    private readonly report: {
      readonly onFault: RecordFaults["mislinked"];
      readonly mayName: (property: string) => boolean;
    },
  ) {}

  async add(row: { readonly id: string; readonly data: string }): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length === linkedAtOnce) await this.#compare();
  }

  /** Call it after the last record; returns false when the limit or the deadline stopped it. */
  async end({
    limit,
    endsAtMs = Infinity,
    signal,
  }: Pick<InspectOptions, "limit" | "endsAtMs" | "signal">): Promise<boolean> {
    await this.#compare();
    let checked = 0;
    for await (const page of linkPages(this.reader, this.type)) {
      signal?.throwIfAborted();
      if (checked >= limit || performance.now() >= endsAtMs) return false;
      checked += page.length;
      const suspects = await strayLinks(this.reader, this.type, page);
      // A record may have been written since the page was read.
      this.#note(await presentLinks(this.reader, this.#key, suspects));
    }
    return true;
  }

  get #key() {
    return { workspaceId: this.type.workspace_id, number: this.type.number };
  }

  async #compare(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const suspects = await missingLinks(this.reader, this.type, rows);
    if (suspects.length === 0) return;
    const ids = [...new Set(suspects.map(({ source }) => source))];
    // A record may have been written since the first read.
    const records = await recordsByIds(this.reader, this.#key, ids);
    this.#note(await missingLinks(this.reader, this.type, [...records.values()]));
  }

  #note(links: readonly SourcedLink[]): void {
    const { onFault, mayName } = this.report;
    for (const { source, path, target } of links) {
      const isNamed = mayName(path.split(".", 1)[0] ?? "");
      onFault(`${source} ${isNamed ? `${path} ${target}` : unnamed}`);
    }
  }
}

const entriesAtOnce = 200;

/** Compares a type's search entries with its records, in batches. */
class EntryCheck {
  readonly #searched: readonly SearchedProperty[];
  /** Checksums by record id; undefined for a record without words. */
  readonly #expected = new Map<string, number | undefined>();

  constructor(
    private readonly reader: Reader,
    private readonly type: StoredObjectType,
    private readonly onFault: RecordFaults["unsearchable"],
  ) {
    this.#searched = searchedProperties(type.definition.properties);
  }

  async add(id: string, data: JsonObject): Promise<void> {
    // An index that is being filled is incomplete, which is no fault.
    const { search_state: state, search_terms: version } = this.type;
    if (state !== "ready" || version < searchTermsVersion || this.#searched.length === 0) return;
    this.#expected.set(id, this.#checksumOf(data));
    if (this.#expected.size === entriesAtOnce) await this.#compare();
  }

  /** Call it after the last record; returns the number of entries without a record. */
  async end(): Promise<number> {
    await this.#compare();
    return countStrayEntries(this.reader, this.#key);
  }

  get #key() {
    return { workspaceId: this.type.workspace_id, number: this.type.number };
  }

  async #compare(): Promise<void> {
    if (this.#expected.size === 0) return;
    const ids = [...this.#expected.keys()];
    const stored = await entryChecksums(this.reader, this.#key, ids);
    const suspects = ids.filter((id) => stored.get(id) !== this.#expected.get(id));
    this.#expected.clear();
    if (suspects.length === 0) return;
    // A record may have been written since the first read.
    const records = await recordsByIds(this.reader, this.#key, suspects);
    const again = await entryChecksums(this.reader, this.#key, suspects);
    for (const [id, { data }] of records) {
      if (again.get(id) !== this.#checksumOf(JSON.parse(data) as JsonObject)) this.onFault(id);
    }
  }

  #checksumOf(data: JsonObject): number | undefined {
    const { terms, checksum } = searchEntry(this.#searched, data);
    return terms.length === 0 ? undefined : checksum;
  }
}
