import { shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import type { Client } from "#client/surface.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { BatchOperation } from "#contract/resources/batch.ts";
import { given } from "#lib/given.ts";
import type { CommandContext } from "../../kit/context.ts";
import { readObject } from "../../kit/input/data.ts";
import { columnNames } from "../../kit/output/rows.ts";
import { deleteMissing, missingRecords } from "../imports/missing.ts";
import { comparedRecords, type ComparedRecord, type SyncSides } from "./compared.ts";
import { syncedProperties } from "./properties.ts";
import { syncLines, type SyncReport } from "./report.ts";

/** Operations per request, and their JSON characters; a character has at most three bytes. */
const chunkLimits = { items: 500, characters: 1_300_000 };
const heldRows = 1_000;

export interface SyncOptions {
  readonly key: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly "from-profile"?: string | undefined;
  readonly "to-profile"?: string | undefined;
  readonly where?: string | undefined;
  readonly fields?: string | undefined;
  readonly reference: readonly string[];
  readonly delete: boolean;
  readonly yes: boolean;
}

/** Copies records by their key, or shows the plan; returns the exit code. */
export async function syncRecords(
  context: CommandContext,
  type: string,
  options: SyncOptions,
): Promise<number> {
  const { signal } = context;
  if (options.delete && options.where !== undefined) {
    throw usageError("--delete needs all records of the source: leave --where out");
  }
  const where = await readObject(context, options.where, "--where");
  const from = await sideClient(context, options["from-profile"], options.from);
  const source = await definitionOf(from, type, signal);
  const to = await sideClient(context, options["to-profile"], options.to);
  const properties = syncedProperties(source, await definitionOf(to, type, signal), {
    key: options.key,
    only: columnNames(options.fields),
    references: referenceKeys(options.reference),
  });
  const sides: SyncSides = { from, to, type, key: options.key, where, properties, signal };
  const sync = new Sync(context, sides, options);
  const report = await sync.run();
  await context.output.data(report, () => syncLines(context, report));
  return report.refused > 0 ? exitCodes.failed : exitCodes.done;
}

function sideClient(
  context: CommandContext,
  profile: string | undefined,
  workspace: string | undefined,
): Promise<Client> {
  const of = profile === undefined ? context : context.withProfile(profile);
  return of.client(given({ workspace }));
}

async function definitionOf(
  client: Client,
  type: string,
  signal: AbortSignal,
): Promise<ObjectType> {
  const { objectTypes } = await client.objectTypes.schema({ signal });
  const definition = objectTypes.find(({ slug }) => slug === type);
  if (definition !== undefined) return definition;
  throw catalogError("E202", { resource: `Object Type ${type}` });
}

function referenceKeys(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word): [string, string] => {
      const [name = "", key = "", ...rest] = word.split("=");
      if (name !== "" && key !== "" && rest.length === 0) return [name, key];
      throw usageError(`--reference ${word} is not of the form property=key`);
    }),
  );
}

type ChangedRecord = Extract<ComparedRecord, { readonly action: "create" | "update" }>;

/** One run: it may be repeated after an interruption, since equal records stay as they are. */
class Sync {
  readonly #counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  readonly #changes: { key: string; action: "create" | "update"; properties: string[] }[] = [];
  readonly #faults: { key: string; reason: string }[] = [];
  /** The keys of the source, for the records that it does not have. */
  readonly #keys = new Map<string, number>();
  #chunk: ChangedRecord[] = [];
  #characters = 0;
  #read = 0;

  constructor(
    private readonly context: CommandContext,
    private readonly sides: SyncSides,
    private readonly options: SyncOptions,
  ) {}

  async run(): Promise<SyncReport> {
    const { yes, key, delete: deletes } = this.options;
    const before = new Date().toISOString();
    for await (const records of comparedRecords(this.sides)) {
      for (const record of records) await this.#take(record);
      await this.context.output.progress(`${this.#read.toLocaleString("en")} records compared`);
    }
    await this.#flush();
    const removal = deletes ? await this.#removeMissing(before) : { missing: null, deleted: 0 };
    const { copied, leftOut } = this.sides.properties;
    return {
      dryRun: !yes,
      type: this.sides.type,
      key,
      copied,
      leftOut,
      ...this.#counts,
      ...removal,
      changes: this.#changes,
      faults: this.#faults,
    };
  }

  async #take(record: ComparedRecord): Promise<void> {
    this.#read += 1;
    if (this.options.delete && record.key !== "") this.#keys.set(record.key, this.#read);
    if (record.action === "unchanged") this.#counts.unchanged += 1;
    else if (record.action === "refused") this.#refuse(record.key, record.reason);
    else {
      const characters = JSON.stringify(record.operation).length;
      if (this.#characters + characters > chunkLimits.characters) await this.#flush();
      this.#chunk.push(record);
      this.#characters += characters;
      if (this.#chunk.length === chunkLimits.items) await this.#flush();
    }
  }

  /** Sends the changes; a plan lets the platform check them without writing. */
  async #flush(): Promise<void> {
    const chunk = this.#chunk;
    this.#chunk = [];
    this.#characters = 0;
    if (chunk.length === 0) return;
    const results = await this.#send(chunk.map(({ operation }) => operation));
    for (const [at, { key, action, names }] of chunk.entries()) {
      const { status = 0, error } = results[at] ?? {};
      if (status >= 300 || status < 200) {
        const [fault] = error?.errors ?? [];
        const detail = error?.detail ?? error?.title ?? `was refused with ${status}`;
        this.#refuse(key, fault === undefined ? detail : faultText(fault));
        continue;
      }
      this.#counts[action === "create" ? "created" : "updated"] += 1;
      if (this.#changes.length < heldRows) {
        this.#changes.push({ key, action, properties: [...names] });
      }
    }
  }

  async #send(items: readonly BatchOperation[]) {
    const { to, type, signal } = this.sides;
    const dryRun = this.options.yes ? undefined : true;
    const body = { items: [...items], ...given({ dryRun }) };
    const { results } = await to.resources.batch({ params: { objectType: type }, body, signal });
    return results;
  }

  async #removeMissing(
    before: string,
  ): Promise<{ readonly missing: number | null; readonly deleted: number }> {
    const { to, type, key, signal } = this.sides;
    if (this.#counts.refused > 0) {
      await this.context.output.note(shown`Deletes nothing, because a record was refused`);
      return { missing: null, deleted: 0 };
    }
    const asked = { type, key, keys: this.#keys, before, signal };
    const missing = await missingRecords(to, asked);
    if (!this.options.yes) return { missing: missing.length, deleted: 0 };
    return { missing: missing.length, deleted: await deleteMissing(to, type, missing, signal) };
  }

  #refuse(key: string, reason: string): void {
    this.#counts.refused += 1;
    if (this.#faults.length < heldRows) this.#faults.push({ key, reason });
  }
}

/** The fault of an item without its place in the request. */
function faultText({ pointer, detail }: { readonly pointer: string; readonly detail: string }) {
  const path = pointer.replace(/^#\/items\/\d+\/(?:data\/)?/, "");
  return path === "" || path.startsWith("#") ? detail : `${path} ${detail}`;
}
