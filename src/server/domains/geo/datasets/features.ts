import type {
  FeatureChanges,
  FeatureCreation,
  FeatureListQuery,
  FeatureSearch,
  GeoFeature,
} from "#contract/geo/features.ts";
import type { ListBody } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { boxAroundBoth, type Box, type Geometry } from "#lib/geometry/geometry.ts";
import { geometryReading } from "#lib/geometry/read-geometry.ts";
import { given } from "#lib/given.ts";
import { mergePatched } from "#lib/json/merge-patch.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { whereOf } from "../../../kit/lists/parameters.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import { lockWorkspace } from "../../workspace-lock.ts";
import { boxColumns, boxOfRow, updateDataset, type DatasetRecord } from "./dataset-store.ts";
import { reportDataset, requireDataset, requireVersion, type DatasetPlace } from "./datasets.ts";
import { featureFilter } from "./feature-filter.ts";
import { pageOfFeatures, type PropertyTest } from "./feature-pages.ts";
import {
  deleteFeature,
  featureById,
  featureNumber,
  insertFeatures,
  lastPossiblePlace,
  updateFeature,
  type FeatureRecord,
  textAndBox,
} from "./feature-store.ts";
import { addPropertyTypes, propertyTypesOf } from "./generation-store.ts";
import { boxOfText, nearOfText, SpatialTest, type Tested } from "./spatial-test.ts";

/** The feature that a request names. */
export interface FeaturePlace extends DatasetPlace {
  readonly feature: string;
}

/** Reads, searches and changes the features of datasets. */
export class Features {
  constructor(
    private readonly parts: { readonly cursors: ListCursors; readonly now: () => Date },
  ) {}

  async list(
    work: Work,
    { workspaceId, dataset }: Pick<DatasetPlace, "workspaceId" | "dataset">,
    query: FeatureListQuery,
    signal: AbortSignal,
    also?: PropertyTest,
  ): Promise<ListBody<GeoFeature>> {
    const { bbox, near, where, ...paging } = query;
    const space = {
      bbox: bbox === undefined ? undefined : boxOfText(bbox),
      near: near === undefined ? undefined : nearOfText(near),
    };
    const filter = where === undefined ? undefined : whereOf(where);
    return pageOfFeatures(work, this.parts.cursors, {
      dataset: await requireDataset(work.read, workspaceId, dataset),
      test: SpatialTest.of(space, "query"),
      where: filter === undefined ? undefined : featureFilter(filter, ["query", "where"]),
      list: [bbox ?? null, near ?? null, filter ?? null, also?.name ?? null],
      also,
      place: ["query"],
      paging,
      signal,
      itemOf: featureOf,
    });
  }

  async query(
    work: Work,
    { workspaceId, dataset }: DatasetPlace,
    query: FeatureSearch,
    signal: AbortSignal,
  ): Promise<ListBody<GeoFeature>> {
    const { bbox, near, within, intersects, where, ...paging } = query;
    const [west = 0, south = 0, east = 0, north = 0] = bbox ?? [];
    const box: Box | undefined = bbox === undefined ? undefined : [west, south, east, north];
    const space = { bbox: box, near, within, intersects };
    return pageOfFeatures(work, this.parts.cursors, {
      dataset: await requireDataset(work.read, workspaceId, dataset),
      test: await new TickShare(workspaceId).run(SpatialTest.inParts(space, "body")),
      where: where === undefined ? undefined : featureFilter(where, ["where"]),
      list: [bbox ?? null, near ?? null, within ?? null, intersects ?? null, where ?? null],
      place: [],
      paging,
      signal,
      itemOf: featureOf,
    });
  }

  async get({ read }: Work, place: Omit<FeaturePlace, "oid">): Promise<GeoFeature> {
    return featureOf({ row: await this.#stored({ read }, place) });
  }

  /** The types of the properties of its features; undefined if they are not known. */
  async propertyTypes({ read }: Work, place: Pick<DatasetPlace, "workspaceId" | "dataset">) {
    const { workspaceId } = place;
    const { generation } = await requireDataset(read, workspaceId, place.dataset);
    return propertyTypesOf(read, workspaceId, generation);
  }

  async #stored({ read }: Pick<Work, "read">, place: Omit<FeaturePlace, "oid">) {
    const dataset = await requireDataset(read, place.workspaceId, place.dataset);
    return required(await storedFeature(read, dataset, place.feature));
  }

  /** `keep` stores the answer of the request under its key; by default it is the feature. */
  async create(
    work: Work,
    place: DatasetPlace,
    request: FeatureCreation,
    keep: (tx: Transaction, feature: GeoFeature) => void = (tx, feature) =>
      tx.remember(feature, { status: 201 }),
  ): Promise<GeoFeature> {
    const { id = crypto.randomUUID(), properties } = request;
    const made = await storedGeometry(request.geometry, place.workspaceId);
    const { text: geometry, box } = made;
    return this.#inDataset(work, place, async (tx, dataset, at) => {
      const place = dataset.last_place + 1;
      if (place > lastPossiblePlace) throw full();
      const row = {
        number: featureNumber(dataset.generation, place),
        id,
        geometry,
        properties: JSON.stringify(properties ?? {}),
        box,
      };
      const { workspace_id: workspaceId, generation } = dataset;
      if ((await insertFeatures(tx, { workspaceId, generation, at }, [row])) === 0) {
        throw idTaken(id);
      }
      tx.note({ target: { dataset: dataset.slug, feature: id } });
      await addPropertyTypes(tx, workspaceId, generation, [properties ?? {}]);
      const stored = { ...row, version: 1, created_at: at, updated_at: at, ...boxColumns(box) };
      const answer = answerOf(stored, made);
      keep(tx, answer);
      return { id, answer, box, count: 1, last_place: place };
    });
  }

  async update(
    work: Work,
    place: FeaturePlace,
    { version, geometry, properties }: FeatureChanges,
    ifMatch: VersionMatch | undefined,
  ): Promise<GeoFeature> {
    const { workspaceId } = place;
    const changed =
      geometry === undefined ? undefined : await storedGeometry(geometry, workspaceId);
    return this.#rewrite(work, place, { version, ifMatch }, (before) => ({
      geometry: changed,
      properties: mergePatched(propertiesOf(before), properties ?? {}),
      changed: [...(changed === undefined ? [] : ["geometry"]), ...Object.keys(properties ?? {})],
    }));
  }

  /** Replaces the geometry and all properties. */
  async replace(
    work: Work,
    place: FeaturePlace,
    { geometry, properties }: Pick<FeatureCreation, "geometry" | "properties">,
    ifMatch: VersionMatch | undefined,
  ): Promise<GeoFeature> {
    const changed = await storedGeometry(geometry, place.workspaceId);
    return this.#rewrite(work, place, { ifMatch }, () => ({
      geometry: changed,
      properties: properties ?? {},
      changed: ["geometry", "properties"],
    }));
  }

  /** Applies a JSON Merge Patch to the whole feature, also to the members of its geometry. */
  async patch(
    work: Work,
    place: FeaturePlace,
    {
      geometry,
      properties,
    }: Pick<FeatureChanges, "geometry"> & {
      readonly properties?: FeatureCreation["properties"];
    },
    ifMatch: VersionMatch | undefined,
  ): Promise<GeoFeature> {
    const changes = given({ geometry, properties });
    const isPlaced = geometry !== undefined;
    const seen = isPlaced ? await this.#stored(work, place) : undefined;
    const checked =
      seen && (await storedGeometry(patched(seen, changes).geometry, place.workspaceId));
    return this.#rewrite(work, place, { ifMatch }, (before) => {
      const { geometry: merged, properties: own } = patched(before, changes);
      const isOther = isPlaced && before.geometry !== seen?.geometry;
      if (isOther && JSON.stringify(merged) !== (checked?.text ?? "null")) throw changedMeanwhile();
      return { geometry: checked, properties: own, changed: Object.keys(changes) };
    });
  }

  #rewrite(
    work: Work,
    place: FeaturePlace,
    made: { readonly version?: number | undefined; readonly ifMatch: VersionMatch | undefined },
    change: (before: FeatureRecord) => {
      readonly geometry: StoredGeometry | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
      readonly changed: readonly string[];
    },
  ): Promise<GeoFeature> {
    return this.#inDataset(work, place, async (tx, dataset, at) => {
      const before = required(await storedFeature(tx, dataset, place.feature));
      requireMatch(made.ifMatch, before.version);
      requireVersion(made.version, before.version, "feature");
      const { geometry, properties, changed } = change(before);
      const { text, box } = geometry ?? { text: before.geometry, box: boxOfRow(before) };
      const row = {
        ...before,
        version: before.version + 1,
        geometry: text,
        properties: JSON.stringify(properties),
        updated_at: at,
        ...boxColumns(box),
      };
      const { workspace_id: workspaceId, generation } = dataset;
      await updateFeature(tx, workspaceId, { ...row, box });
      await addPropertyTypes(tx, workspaceId, generation, [properties]);
      tx.note({
        target: { dataset: dataset.slug, feature: row.id },
        before: { version: before.version },
        after: { version: row.version, changed: [...changed] },
      });
      return { id: row.id, answer: answerOf(row, geometry), box, count: 0 };
    });
  }

  async remove(work: Work, place: FeaturePlace, ifMatch: VersionMatch | undefined): Promise<void> {
    await this.#inDataset(work, place, async (tx, dataset) => {
      const row = required(await storedFeature(tx, dataset, place.feature));
      requireMatch(ifMatch, row.version);
      await deleteFeature(tx, dataset.workspace_id, row.number);
      tx.note({
        target: { dataset: dataset.slug, feature: row.id },
        before: { version: row.version },
      });
      return { id: row.id, answer: undefined, box: undefined, count: -1 };
    });
  }

  /** Changes a feature and, in the same transaction, the version, count and box of its dataset. */
  #inDataset<Answer>(
    work: Work,
    { workspaceId, dataset: slug, oid }: DatasetPlace,
    change: (
      tx: Transaction,
      dataset: DatasetRecord,
      at: string,
    ) => Promise<{
      readonly id: string;
      readonly answer: Answer;
      readonly box: Box | undefined;
      readonly count: number;
      readonly last_place?: number;
    }>,
  ): Promise<Answer> {
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const dataset = await requireDataset(tx, workspaceId, slug);
      const at = this.parts.now().toISOString();
      const {
        id,
        answer,
        box,
        count,
        last_place = dataset.last_place,
      } = await change(tx, dataset, at);
      await updateDataset(tx, dataset, {
        features: dataset.features + count,
        last_place,
        ...boxColumns(boxAroundBoth(boxOfRow(dataset), box)),
        updated_by: oid,
        updated_at: at,
      });
      const version = dataset.version + 1;
      reportDataset(tx, dataset, { op: "updated", version, changed: [`features/${id}`] });
      return answer;
    });
  }
}

/** A feature as its answer has it. */
export function featureOf({ row, distance }: Tested): GeoFeature {
  const { id, geometry, version, created_at, updated_at } = row;
  return {
    type: "Feature",
    id,
    // The store has checked both texts before it wrote them.
    geometry: geometry === null ? null : (JSON.parse(geometry) as Record<string, unknown>),
    properties: propertiesOf(row),
    version,
    created_at,
    updated_at,
    ...(distance === undefined ? {} : { distance: Math.round(distance * 100) / 100 }),
  };
}

/** The answer of a write, which does not parse the text of its geometry again. */
function answerOf(row: FeatureRecord, written: StoredGeometry | undefined): GeoFeature {
  if (written === undefined) return featureOf({ row });
  const answer = featureOf({ row: { ...row, geometry: null } });
  return { ...answer, geometry: written.geometry === null ? null : { ...written.geometry } };
}

function propertiesOf({ properties }: Pick<FeatureRecord, "properties">) {
  return JSON.parse(properties) as Record<string, unknown>;
}

function storedFeature(
  reader: Work["read"],
  { workspace_id: workspaceId, generation }: DatasetRecord,
  id: string,
): Promise<FeatureRecord | undefined> {
  return featureById(reader, workspaceId, generation, id);
}

function required(row: FeatureRecord | undefined): FeatureRecord {
  if (row !== undefined) return row;
  throw new Refusal("not-found", { detail: "This dataset has no such feature" });
}

/** The geometry and the properties of a feature after a JSON Merge Patch. */
function patched(row: FeatureRecord, changes: Readonly<Record<string, unknown>>) {
  const { geometry, properties } = featureOf({ row });
  const before = { geometry: geometry ?? {}, properties: properties ?? {} };
  const merged = mergePatched(before, changes);
  return {
    geometry: merged["geometry"] ?? null,
    properties: isJsonObject(merged["properties"]) ? merged["properties"] : {},
  };
}

interface StoredGeometry {
  readonly geometry: Geometry | null;
  readonly text: string | null;
  readonly box: Box | undefined;
}

/** A geometry as it is stored, with its box; refuses 422 with the place of each fault. */
async function storedGeometry(value: unknown, share: string): Promise<StoredGeometry> {
  if (value === null) return { text: null, box: undefined, geometry: null };
  const ticks = new TickShare(share);
  const reading = await ticks.run(geometryReading(value));
  if (reading.faults !== undefined) {
    const faults = reading.faults.map(({ path, detail }) =>
      faultAt("body", ["geometry", ...path], detail),
    );
    throw invalid(faults);
  }
  await ticks.yieldWhenUsed();
  const stored = textAndBox(reading.geometry);
  // The statement that writes a long text takes a tick itself.
  await ticks.yieldWhenUsed();
  return { ...stored, geometry: reading.geometry };
}

function idTaken(id: string): Refusal {
  const detail = `"${id}" is already used in this dataset`;
  return new Refusal("already-exists", {
    detail: `Cannot create this feature: id ${detail}`,
    errors: [{ pointer: pointer("id"), detail }],
  });
}

function changedMeanwhile(): Refusal {
  return new Refusal("conflict", {
    detail: "Another request has changed this geometry meanwhile: repeat the change",
  });
}

function full(): Refusal {
  return new Refusal("conflict", {
    detail: "Cannot add another feature: import the dataset's features again first",
  });
}
