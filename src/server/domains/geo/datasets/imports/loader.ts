import { maximumImportFaults } from "#contract/geo/import-formats.ts";
import type { ImportFault } from "#contract/geo/datasets.ts";
import { keptPromise } from "../../../../kit/background.ts";
import type { Transaction } from "../../../../work/work.ts";
import { insertFeatures, numbersOfIds, placeOf, type NewFeature } from "../feature-store.ts";
import type { FeaturePart } from "./feature-reader.ts";

export interface LoadCounts {
  readonly read: number;
  readonly stored: number;
  readonly repaired: number;
  readonly refused: number;
}

/** Stores the features of a file in a generation, part by part, and collects what is refused. */
export class Loader {
  readonly #faults: ImportFault[] = [];
  #read = 0;
  #stored = 0;
  #repaired = 0;
  #refused = 0;
  /** Features whose ids earlier ones have. */
  #repeated = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: {
      readonly workspaceId: string;
      readonly generation: number;
      readonly at: string;
      readonly write: <T>(unit: (tx: Transaction) => Promise<T>) => Promise<T>;
    },
  ) {}

  /** The reasons of refused features, in the order of the file. */
  get faults(): ImportFault[] {
    return this.#faults.toSorted((one, other) => one.feature - other.feature);
  }

  get counts(): LoadCounts {
    return {
      read: this.#read,
      stored: this.#stored,
      repaired: this.#repaired,
      refused: this.#refused + this.#repeated,
    };
  }

  /** The place of the last feature. */
  get lastPlace(): number {
    return this.#read;
  }

  /** Takes the next part, once the one before it is stored: the next one is read meanwhile. */
  async add({ features, faults, read, repaired, refused }: FeaturePart): Promise<void> {
    await this.#writing;
    [this.#read, this.#repaired, this.#refused] = [read, repaired, refused];
    for (const fault of faults) this.#refuse(fault);
    if (features.length > 0) this.#writing = keptPromise(this.#store(features));
  }

  async end(): Promise<void> {
    await this.#writing;
  }

  async #store(features: readonly NewFeature[]): Promise<void> {
    const { workspaceId, generation, at } = this.parts;
    const repeated = await this.parts.write(async (tx) => {
      const stored = await insertFeatures(tx, { workspaceId, generation, at }, features);
      if (stored === features.length) return [];
      const ids = features.map(({ id }) => id);
      const numbers = await numbersOfIds(tx, workspaceId, generation, ids);
      return features.filter(({ id, number }) => numbers.get(id) !== number);
    });
    this.#stored += features.length - repeated.length;
    this.#repeated += repeated.length;
    const detail = "has an id that an earlier feature has";
    for (const { id, number } of repeated) this.#refuse({ feature: placeOf(number), id, detail });
  }

  #refuse(fault: ImportFault): void {
    if (this.#faults.length < maximumImportFaults) this.#faults.push(fault);
  }
}
