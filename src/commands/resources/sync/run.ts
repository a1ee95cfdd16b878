import { shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import type { Client } from "#client/surface.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import type { CommandContext } from "../../kit/context.ts";
import { readObject } from "../../kit/input/data.ts";
import { columnNames } from "../../kit/output/rows.ts";
import { comparedRecords, type ChangedRecord, type ComparedRecord } from "./compared.ts";
import { RecentKeys } from "./recent-keys.ts";
import { removeMissing } from "./removal.ts";
import type { SyncSides } from "./sides.ts";
import { SyncTarget } from "./target.ts";
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
  if (from.baseUrl === to.baseUrl && from.tenantId === to.tenantId) {
    throw usageError(
      "The source and the target are the same workspace",
      "Name another one with --from, --to, --from-profile or --to-profile",
    );
  }
  const properties = syncedProperties(source, await definitionOf(to, type, signal), {
    key: options.key,
    only: columnNames(options.fields),
    references: referenceKeys(options.reference),
  });
  const { key } = options;
  const sides = { from, to, type, key, where, properties, hidden: new Map(), signal };
  const sync = new Sync(context, sides, options);
  const report = await sync.run();
  await context.output.data(report, () => syncLines(context, report));
  return report.refused + report.kept.length > 0 ? exitCodes.failed : exitCodes.done;
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

/** One run: it may be repeated after an interruption, since equal records stay as they are. */
class Sync {
  readonly #counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  readonly #changes: { key: string; action: "create" | "update"; properties: string[] }[] = [];
  readonly #faults: { key: string; reason: string }[] = [];
  /** The keys of the source, for the records that it does not have. */
  readonly #keys = new Map<string, number>();
  readonly #recent = new RecentKeys();
  readonly #target: SyncTarget;
  #chunk: ChangedRecord[] = [];
  #characters = 0;
  #read = 0;

  constructor(
    private readonly context: CommandContext,
    private readonly sides: SyncSides,
    private readonly options: SyncOptions,
  ) {
    this.#target = new SyncTarget(sides, !options.yes);
  }

  async run(): Promise<SyncReport> {
    const { yes, key } = this.options;
    const removal = await this.#outcome();
    const { copied, leftOut } = this.sides.properties;
    return {
      dryRun: !yes,
      type: this.sides.type,
      key,
      copied,
      leftOut: [...leftOut, ...[...this.sides.hidden].map(hiddenValues)],
      ...this.#counts,
      ...removal,
      checked: this.#target.checksPlans || yes,
      changes: this.#changes,
      faults: this.#faults,
    };
  }

  /** Copies and removes; after a failure it notes what is done already. */
  async #outcome(): Promise<Pick<SyncReport, "missing" | "deleted" | "kept">> {
    const before = new Date().toISOString();
    try {
      for await (const records of comparedRecords(this.sides)) {
        for (const record of records) await this.#take(record);
        await this.context.output.progress(`${this.#read.toLocaleString("en")} records compared`);
      }
      await this.#flush();
      return await this.#removeMissing(before);
    } catch (error) {
      const { created, updated } = this.#counts;
      if (this.options.yes) {
        await this.context.output.note(
          shown`${created} created and ${updated} updated so far. The same command continues`,
        );
      }
      throw error;
    }
  }

  async #take(record: ComparedRecord): Promise<void> {
    this.#read += 1;
    if (record.key !== "" && !this.#recent.add(record.key)) {
      this.#refuse(record.key, "is the key of another record of the source too");
      return;
    }
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
    const outcomes = await this.#target.outcomes(chunk);
    for (const [at, { key, action, names }] of chunk.entries()) {
      const reason = outcomes[at]?.reason;
      if (reason !== undefined) {
        this.#refuse(key, reason);
        continue;
      }
      this.#counts[action === "create" ? "created" : "updated"] += 1;
      if (this.#changes.length < heldRows) {
        this.#changes.push({ key, action, properties: [...names] });
      }
    }
  }

  async #removeMissing(before: string): Promise<Pick<SyncReport, "missing" | "deleted" | "kept">> {
    const nothing = { missing: null, deleted: 0, kept: [] };
    if (!this.options.delete) return nothing;
    if (this.#counts.refused > 0) {
      await this.context.output.note(shown`Deletes nothing, because a record was refused`);
      return nothing;
    }
    const isPlan = !this.options.yes;
    return await removeMissing(this.sides, { keys: this.#keys, before, isPlan });
  }

  #refuse(key: string, reason: string): void {
    this.#counts.refused += 1;
    if (this.#faults.length < heldRows) this.#faults.push({ key, reason });
  }
}

function hiddenValues([property, count]: readonly [string, number]) {
  const values = counted(count, "value");
  return { property, reason: `${values} of the target stay: the source does not show them` };
}
