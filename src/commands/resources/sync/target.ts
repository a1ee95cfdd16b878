import { mayLackRoute } from "#client/failures.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { BatchResult } from "#contract/resources/batch.ts";
import { given } from "#lib/given.ts";
import type { ChangedRecord } from "./compared.ts";
import type { SyncSides } from "./sides.ts";

/** The outcome of a record: the reason if the target refused it. */
export interface SyncOutcome {
  readonly reason: string | undefined;
}

const done: SyncOutcome = { reason: undefined };

/** Writes to the target, or lets it check a plan; a platform may lack the route for both. */
export class SyncTarget {
  #lacksRoute = false;

  constructor(
    private readonly sides: SyncSides,
    private readonly isPlan: boolean,
  ) {}

  /** False if the target could not check a plan. */
  get checksPlans(): boolean {
    return !this.#lacksRoute;
  }

  /** The outcome of each record, in their order. Throws where they are not known. */
  async outcomes(records: readonly ChangedRecord[]): Promise<readonly SyncOutcome[]> {
    if (!this.#lacksRoute) {
      try {
        return await this.#together(records);
      } catch (error) {
        if (!(error instanceof CatalogError) || !mayLackRoute(error)) throw error;
        this.#lacksRoute = true;
      }
    }
    if (this.isPlan) return records.map(() => done);
    return await this.#byKind(records);
  }

  async #together(records: readonly ChangedRecord[]): Promise<readonly SyncOutcome[]> {
    const { to, type, signal } = this.sides;
    const items = records.map(({ operation }) => operation);
    const body = { items, ...given({ dryRun: this.isPlan ? (true as const) : undefined }) };
    const { results } = await to.resources.batch({ params: { objectType: type }, body, signal });
    return outcomesOf(results, records.length);
  }

  /** New records in one request, and each change in the version that was compared. */
  async #byKind(records: readonly ChangedRecord[]): Promise<readonly SyncOutcome[]> {
    const { to, type, signal } = this.sides;
    const resources = to.useResources(type);
    const creations = records.filter(({ action }) => action === "create");
    const data = creations.map(({ operation: { property, value, data: changed } }) => ({
      ...Object.fromEntries(Object.entries(changed).filter(([, each]) => each !== null)),
      [property]: value,
    }));
    const created =
      data.length === 0 ? [] : (await resources.batchCreate(data, { signal })).results;
    const outcomes = new Map<ChangedRecord, SyncOutcome>(
      outcomesOf(created, creations.length).flatMap((outcome, at) => {
        const record = creations[at];
        return record === undefined ? [] : [[record, outcome]];
      }),
    );
    for (const record of records) {
      if (record.action === "create") continue;
      const { id, version, operation } = record;
      try {
        await resources.patch(id, operation.data, { version, signal });
      } catch (error) {
        if (!isOfRecord(error)) throw error;
        outcomes.set(record, { reason: error.message });
      }
    }
    return records.map((record) => outcomes.get(record) ?? done);
  }
}

/** The outcomes in the order of the items, which an answer may list in another one. */
function outcomesOf(results: readonly BatchResult[], count: number): readonly SyncOutcome[] {
  const byIndex = new Map(results.map((result) => [result.index, result]));
  return Array.from({ length: count }, (_none, index) => {
    const result = byIndex.get(index);
    if (result === undefined || results.length !== count) {
      const details = `${results.length} outcomes of ${count} records`;
      throw catalogError("E203", { details });
    }
    const { status, error } = result;
    if (status >= 200 && status < 300) return done;
    const [fault] = error?.errors ?? [];
    const detail = error?.detail ?? error?.title ?? `was refused with ${status}`;
    return { reason: fault === undefined ? detail : faultText(fault) };
  });
}

/** The fault of an item without its place in the request. */
function faultText({ pointer, detail }: { readonly pointer: string; readonly detail: string }) {
  const path = pointer.replace(/^#\/items\/\d+\/(?:data\/)?/, "");
  return path === "" || path.startsWith("#") ? detail : `${path} ${detail}`;
}

const ofRecord: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 412, 422]);

/** True if the platform refuses one record, and would take others. */
function isOfRecord(error: unknown): error is CatalogError {
  return error instanceof CatalogError && ofRecord.has(error.status ?? 0);
}
