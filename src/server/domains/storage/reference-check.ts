import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import type { Reader } from "../../database/database.ts";
import { objectTypeBySlug, type StoredObjectType } from "../object-types/service.ts";
import { presentIds } from "../records/service.ts";
import { Tally, type Finding } from "./finding.ts";

const batchSize = 500;

interface Use extends ReferenceUse {
  /** The id of the record that has the reference. */
  readonly from: string;
}

/** Finds references of a type's records to records that do not exist, in batches. */
export class ReferenceCheck {
  readonly #targets = new Map<string, Promise<StoredObjectType | undefined>>();
  readonly #dangling = new Tally();
  #uses: Use[] = [];

  constructor(
    private readonly reader: Reader,
    private readonly type: StoredObjectType,
  ) {}

  async add(from: string, references: readonly ReferenceUse[]): Promise<void> {
    for (const reference of references) this.#uses.push({ ...reference, from });
    if (this.#uses.length >= batchSize) await this.#checkBatch();
  }

  /** Call it after the last record. */
  async findings(): Promise<Finding[]> {
    await this.#checkBatch();
    return this.#dangling.finding({
      code: "reference-dangling",
      backend: "documentdb",
      severity: "warning",
      workspaceId: this.type.workspace_id,
      subject: this.type.slug,
      detail: "Records refer to records that do not exist",
      mend: "Remove or replace the references with `svc resources update`",
      fixable: false,
    });
  }

  async #checkBatch(): Promise<void> {
    const uses = this.#uses;
    this.#uses = [];
    const present = new Map<string, ReadonlySet<string>>();
    for (const [slug, ofType] of Map.groupBy(uses, (use) => use.targetObjectType)) {
      present.set(slug, await this.#presentOf(slug, [...new Set(ofType.map(({ id }) => id))]));
    }
    for (const { from, pointer, targetObjectType: slug, id } of uses) {
      if (present.get(slug)?.has(id) !== true) {
        this.#dangling.add(`${from} ${pointer} ${slug} ${id}`);
      }
    }
  }

  async #presentOf(slug: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { workspace_id: workspaceId } = this.type;
    const known = this.#targets.get(slug) ?? objectTypeBySlug(this.reader, workspaceId, slug);
    this.#targets.set(slug, known);
    const target = await known;
    const present = new Set<string>();
    for (let start = 0; target !== undefined && start < ids.length; start += batchSize) {
      const some = ids.slice(start, start + batchSize);
      const found = await presentIds(this.reader, { workspaceId, number: target.number }, some);
      for (const id of found) present.add(id);
    }
    return present;
  }
}
