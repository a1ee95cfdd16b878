import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import type { Reader } from "../../database/database.ts";
import { objectTypeBySlug, type StoredObjectType } from "../object-types/service.ts";
import { presentIds } from "../records/service.ts";
import { Tally, type Finding } from "./finding.ts";

/** References that are looked up together. */
const atOnce = 500;

interface Use extends ReferenceUse {
  /** The record that refers. */
  readonly from: string;
}

/** Looks whether what the records of a type refer to is there, some hundreds at a time. */
export class ReferenceCheck {
  readonly #reader: Reader;
  readonly #type: StoredObjectType;
  readonly #targets = new Map<string, Promise<StoredObjectType | undefined>>();
  readonly #dangling = new Tally();
  #uses: Use[] = [];

  constructor(reader: Reader, type: StoredObjectType) {
    this.#reader = reader;
    this.#type = type;
  }

  async add(from: string, references: readonly ReferenceUse[]): Promise<void> {
    for (const reference of references) this.#uses.push({ ...reference, from });
    if (this.#uses.length >= atOnce) await this.#look();
  }

  /** What was found, once all records were added. */
  async findings(): Promise<Finding[]> {
    await this.#look();
    const { count, examples } = this.#dangling;
    if (count === 0) return [];
    return [
      {
        code: "reference-dangling",
        backend: "documentdb",
        severity: "warning",
        workspaceId: this.#type.workspace_id,
        subject: this.#type.slug,
        count,
        examples,
        detail: "Records refer to records that are not there any more",
        mend: "Remove or replace the references with `svc resources update`",
        fixable: false,
      },
    ];
  }

  async #look(): Promise<void> {
    const uses = this.#uses;
    this.#uses = [];
    const slugs = new Set(uses.map(({ targetObjectType }) => targetObjectType));
    const present = new Map<string, ReadonlySet<string>>();
    for (const slug of slugs) {
      const ofType = uses.filter(({ targetObjectType }) => targetObjectType === slug);
      present.set(slug, await this.#presentOf(slug, [...new Set(ofType.map(({ id }) => id))]));
    }
    for (const { from, pointer, targetObjectType, id } of uses) {
      if (present.get(targetObjectType)?.has(id) !== true) {
        this.#dangling.add(`${from} ${pointer} ${targetObjectType} ${id}`);
      }
    }
  }

  async #presentOf(slug: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { workspace_id: workspaceId } = this.#type;
    const known = this.#targets.get(slug) ?? objectTypeBySlug(this.#reader, workspaceId, slug);
    this.#targets.set(slug, known);
    const target = await known;
    const present = new Set<string>();
    for (let start = 0; target !== undefined && start < ids.length; start += atOnce) {
      const some = ids.slice(start, start + atOnce);
      const found = await presentIds(this.#reader, { workspaceId, number: target.number }, some);
      for (const id of found) present.add(id);
    }
    return present;
  }
}
