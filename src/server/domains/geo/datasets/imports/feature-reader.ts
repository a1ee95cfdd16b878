import {
  maximumImportFaults,
  maximumImportFeatures,
  type ImportFormat,
} from "#contract/geo/import-formats.ts";
import type { ImportFault } from "#contract/geo/datasets.ts";
import { boxAroundBoth, type Box } from "#lib/geometry/geometry.ts";
import { readGeometry, type GeometryReadingOptions } from "#lib/geometry/read-geometry.ts";
import { pointer } from "#lib/json/pointer.ts";
import { jsonCounts } from "#lib/json/scan.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isStorable, notStorable } from "../../../../kit/storable-text.ts";
import { featureNumber, textAndBox, type NewFeature } from "../feature-store.ts";
import { PropertyTypes } from "../../property-types.ts";
import { detected, featuresIn } from "../formats/read.ts";
import {
  FormatError,
  type Chunks,
  type SourceFeature,
  type SourceOptions,
} from "../formats/source.ts";

/** The number of features of one part, which one transaction stores. */
const partFeatures = 400;
/** Characters of one part, beyond which it takes no further feature. */
const partCharacters = 4 * 1024 * 1024;
/** The features of one part, refused ones too, so that its counts are never old. */
const readPerPart = 4_000;
const longestId = 255;
const deepestProperties = 60;
const longestProperties = 1024 * 1024;

/** The format of a file, and the ways to read it. */
export interface ReadingTask {
  readonly generation: number;
  readonly format: ImportFormat | undefined;
  readonly source: SourceOptions;
  /** The treatment of geometries that are not valid. */
  readonly geometries: GeometryReadingOptions;
}

/** The next features of a file, and the faults of those between them that are refused. */
export interface FeaturePart {
  readonly features: readonly NewFeature[];
  readonly faults: readonly ImportFault[];
  /** Numbers of the features of all parts until now. */
  readonly read: number;
  readonly repaired: number;
  readonly refused: number;
  /** The last part of a file that could be read has it. */
  readonly summary?: FileSummary;
}

/** A summary of all features, at the end of a file. */
export interface FileSummary {
  readonly box: Box | undefined;
  /** The text of the types of all properties. */
  readonly types: string;
}

/**
 * Reads and checks the features of a file, in parts that one transaction stores. Throws FormatError
 * after the part with the features before it.
 */
export async function* readFeatures(
  chunks: Chunks,
  task: ReadingTask,
): AsyncGenerator<FeaturePart, void, void> {
  const reader = new FeatureReader(task);
  try {
    const { format, chunks: all } = await detected(chunks, task.format);
    for await (const feature of featuresIn(format, all, task.source)) {
      reader.add(feature);
      if (reader.isPartFull) yield reader.takePart();
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    yield reader.takePart();
    throw error;
  }
  yield { ...reader.takePart(), summary: { box: reader.box, types: reader.types.text } };
}

class FeatureReader {
  readonly types: PropertyTypes = PropertyTypes.of();
  box: Box | undefined;
  #features: NewFeature[] = [];
  #faults: ImportFault[] = [];
  #characters = 0;
  #read = 0;
  #readBefore = 0;
  #repaired = 0;
  #refused = 0;

  constructor(private readonly task: ReadingTask) {}

  get isPartFull(): boolean {
    return (
      this.#features.length >= partFeatures ||
      this.#characters >= partCharacters ||
      this.#read - this.#readBefore >= readPerPart
    );
  }

  takePart(): FeaturePart {
    const [features, faults] = [this.#features, this.#faults];
    [this.#features, this.#faults] = [[], []];
    [this.#characters, this.#readBefore] = [0, this.#read];
    const [read, repaired, refused] = [this.#read, this.#repaired, this.#refused];
    return { features, faults, read, repaired, refused };
  }

  /** Takes one feature. Throws FormatError beyond the largest number of them. */
  add(feature: SourceFeature): void {
    if (this.#read === maximumImportFeatures) {
      throw new FormatError(`The file has more than ${maximumImportFeatures} features`);
    }
    this.#read += 1;
    if (feature.fault !== undefined) return this.#refuse(undefined, { detail: feature.fault });
    const id = feature.id ?? Bun.randomUUIDv7();
    const properties = JSON.stringify(feature.properties);
    const fault = faultOfId(id) ?? faultOfProperties(feature.properties, properties);
    if (fault !== undefined) return this.#refuse(feature.id, fault);
    const reading =
      feature.geometry === null
        ? { geometry: null, isRepaired: false, faults: undefined }
        : readGeometry(feature.geometry, this.task.geometries);
    if (reading.faults !== undefined) {
      const [first] = reading.faults;
      return this.#refuse(feature.id, {
        pointer: pointer("geometry", ...(first?.path ?? [])),
        detail: first?.detail ?? "is not valid",
      });
    }
    if (reading.isRepaired) this.#repaired += 1;
    const { text: geometry, box } = textAndBox(reading.geometry);
    this.box = boxAroundBoth(this.box, box);
    this.types.add(feature.properties);
    const number = featureNumber(this.task.generation, this.#read);
    this.#features.push({ number, id, geometry, properties, box });
    this.#characters += properties.length + (geometry?.length ?? 0);
  }

  #refuse(id: string | undefined, fault: Fault): void {
    this.#refused += 1;
    if (this.#refused > maximumImportFaults) return;
    this.#faults.push({ feature: this.#read, id: id?.slice(0, longestId) ?? null, ...fault });
  }
}

type Fault = Pick<ImportFault, "pointer" | "detail">;

/** The fault of an id that no database can keep. */
function faultOfId(id: string): Fault | undefined {
  if (id.length <= longestId && isStorable(id) && !/\p{Cc}/u.test(id)) return undefined;
  return { pointer: pointer("id"), detail: "must be at most 255 characters on one line" };
}

/** The fault of properties that no database can keep; `text` is their JSON. */
function faultOfProperties(
  properties: Readonly<Record<string, unknown>>,
  text: string,
): Fault | undefined {
  const detail = detailOfProperties(properties, text);
  return detail === undefined ? undefined : { pointer: pointer("properties"), detail };
}

function detailOfProperties(
  properties: Readonly<Record<string, unknown>>,
  text: string,
): string | undefined {
  if (text.length > longestProperties) return `must have at most ${longestProperties} characters`;
  if (text.length > 2 * deepestProperties && jsonCounts(text).depth > deepestProperties) {
    return `nest deeper than ${deepestProperties} levels`;
  }
  const isSuspicious = /\\u(?:0000|d[89a-f])/i.test(text);
  return isSuspicious && !areStorable(properties) ? notStorable : undefined;
}

function areStorable(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  if (Array.isArray(value)) return value.every(areStorable);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([name, member]) => isStorable(name) && areStorable(member));
}
