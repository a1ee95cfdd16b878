import { maximumImportFaults, maximumImportFeatures } from "#contract/geo/import-formats.ts";
import type { ImportFault } from "#contract/geo/datasets.ts";
import { pointer } from "#contract/problems.ts";
import { boxAroundBoth, type Box } from "#lib/geometry/geometry.ts";
import { geometryReading } from "#lib/geometry/read-geometry.ts";
import { jsonCounts } from "#lib/json/scan.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { keptPromise } from "../../../../kit/background.ts";
import { TickShare } from "../../../../kit/turns/tick-share.ts";
import { isStorable, notStorable } from "../../../../kit/storable-text.ts";
import type { Transaction } from "../../../../work/work.ts";
import {
  featureNumber,
  insertFeatures,
  numbersOfIds,
  placeOf,
  type NewFeature,
} from "../feature-store.ts";
import { textAndBox } from "../features.ts";
import { PropertyTypes } from "../../property-types.ts";
import { FormatError, type SourceFeature } from "../formats/source.ts";

/** The number of features of one transaction. */
const batchFeatures = 400;
/** Characters of one transaction; a batch has at least one feature. */
const batchCharacters = 4 * 1024 * 1024;
const longestId = 255;
const deepestProperties = 60;
const longestProperties = 1024 * 1024;

export interface LoadCounts {
  readonly read: number;
  readonly stored: number;
  readonly repaired: number;
  readonly refused: number;
}

/** Stores the features of a file in a generation, in batches, and collects what it refuses. */
export class Loader {
  readonly faults: ImportFault[] = [];
  readonly types: PropertyTypes = PropertyTypes.of();
  box: Box | undefined;
  #batch: NewFeature[] = [];
  #characters = 0;
  #read = 0;
  #stored = 0;
  #repaired = 0;
  #refused = 0;
  #writing: Promise<void> = Promise.resolve();
  readonly #ticks: TickShare;

  constructor(
    private readonly parts: {
      readonly workspaceId: string;
      readonly generation: number;
      readonly at: string;
      /** The treatment of geometries that are not valid. */
      readonly reading: { readonly repair?: boolean; readonly keep?: boolean };
      readonly write: <T>(unit: (tx: Transaction) => Promise<T>) => Promise<T>;
    },
  ) {
    this.#ticks = new TickShare(parts.workspaceId);
  }

  get counts(): LoadCounts {
    return {
      read: this.#read,
      stored: this.#stored,
      repaired: this.#repaired,
      refused: this.#refused,
    };
  }

  /** The place of the last feature. */
  get lastPlace(): number {
    return this.#read;
  }

  /** Takes one feature; waits while earlier ones are written. */
  async add(feature: SourceFeature): Promise<void> {
    this.#read += 1;
    if (this.#read > maximumImportFeatures) {
      throw new FormatError(`The file has more than ${maximumImportFeatures} features`);
    }
    const added = await this.#checked(feature);
    if (added === undefined) return;
    this.#batch.push(added);
    this.#characters += added.properties.length + (added.geometry?.length ?? 0);
    if (this.#batch.length < batchFeatures && this.#characters < batchCharacters) return;
    await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#writing;
  }

  /** Hands the batch over once the one before it is stored: the next one is read meanwhile. */
  async #flush(): Promise<void> {
    await this.#writing;
    const batch = this.#batch;
    [this.#batch, this.#characters] = [[], 0];
    if (batch.length > 0) this.#writing = keptPromise(this.#store(batch));
  }

  async #store(batch: readonly NewFeature[]): Promise<void> {
    const { workspaceId, generation, at } = this.parts;
    const repeated = await this.parts.write(async (tx) => {
      const stored = await insertFeatures(tx, { workspaceId, generation, at }, batch);
      if (stored === batch.length) return [];
      const ids = batch.map(({ id }) => id);
      const numbers = await numbersOfIds(tx, workspaceId, generation, ids);
      return batch.filter(({ id, number }) => numbers.get(id) !== number);
    });
    this.#stored += batch.length - repeated.length;
    for (const { id, number } of repeated) {
      this.#refuse(placeOf(number), id, { detail: "has an id that an earlier feature has" });
    }
  }

  async #checked(feature: SourceFeature): Promise<NewFeature | undefined> {
    const place = this.#read;
    if (feature.fault !== undefined) {
      return this.#refuse(place, undefined, { detail: feature.fault });
    }
    const id = feature.id ?? Bun.randomUUIDv7();
    const fault = faultOfTexts(id, feature.properties);
    if (fault !== undefined) return this.#refuse(place, feature.id, fault);
    const { geometry } = feature;
    const reading =
      geometry === null
        ? { geometry, isRepaired: false, faults: undefined }
        : await this.#ticks.run(geometryReading(geometry, this.parts.reading));
    if (reading.faults !== undefined) {
      const [first] = reading.faults;
      return this.#refuse(place, feature.id, {
        pointer: pointer("geometry", ...(first?.path ?? [])),
        detail: first?.detail ?? "is not valid",
      });
    }
    if (reading.isRepaired) this.#repaired += 1;
    const { text, box } = textAndBox(reading.geometry);
    this.box = boxAroundBoth(this.box, box);
    const properties = JSON.stringify(feature.properties);
    this.types.add(feature.properties);
    const number = featureNumber(this.parts.generation, place);
    return { number, id, geometry: text, properties, box };
  }

  #refuse(
    feature: number,
    id: string | undefined,
    fault: Pick<ImportFault, "pointer" | "detail">,
  ): undefined {
    this.#refused += 1;
    if (this.faults.length >= maximumImportFaults) return;
    this.faults.push({ feature, id: id?.slice(0, longestId) ?? null, ...fault });
  }
}

/** The fault of an id or of properties that no database can keep. */
function faultOfTexts(
  id: string,
  properties: Readonly<Record<string, unknown>>,
): Pick<ImportFault, "pointer" | "detail"> | undefined {
  if (id.length > longestId || !isStorable(id) || /\p{Cc}/u.test(id)) {
    return { pointer: pointer("id"), detail: "must be at most 255 characters on one line" };
  }
  const place = pointer("properties");
  const text = JSON.stringify(properties);
  if (text.length > longestProperties) {
    return { pointer: place, detail: `must have at most ${longestProperties} characters` };
  }
  if (text.length > 2 * deepestProperties && jsonCounts(text).depth > deepestProperties) {
    return { pointer: place, detail: `nest deeper than ${deepestProperties} levels` };
  }
  const isSuspicious = /\\u(?:0000|d[89a-f])/i.test(text);
  return isSuspicious && !areStorable(properties)
    ? { pointer: place, detail: notStorable }
    : undefined;
}

function areStorable(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  if (Array.isArray(value)) return value.every(areStorable);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([name, member]) => isStorable(name) && areStorable(member));
}
