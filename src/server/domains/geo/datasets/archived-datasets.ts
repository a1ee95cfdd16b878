import { boxAroundBoth } from "#lib/geometry/geometry.ts";
import { readGeometry } from "#lib/geometry/read-geometry.ts";
import { isJsonObject } from "#lib/json/value.ts";
import type { Transaction } from "../../../work/work.ts";
import {
  boxColumns,
  boxOfRow,
  datasetNamed,
  insertDataset,
  nameColumn,
  updateDataset,
} from "./dataset-store.ts";
import { reportDataset, requireRoom } from "./datasets.ts";
import {
  featureNumber,
  insertFeatures,
  numbersOfIds,
  textAndBox,
  type NewFeature,
} from "./feature-store.ts";
import { addGeneration, addPropertyTypes } from "./generation-store.ts";

/** A dataset of an archive. */
export interface ArchivedDataset {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly licence: string;
  readonly attribution: string;
  /** Absent in an archive of an earlier build. */
  readonly name_properties?: readonly string[] | undefined;
}

/** A feature of an archive. */
export interface ArchivedFeature {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly geometry: unknown;
  readonly properties: unknown;
}

/** Stores a dataset without features; false where its name or id is taken, 409 for one too many. */
export async function storeArchivedDataset(
  tx: Transaction,
  workspaceId: string,
  dataset: ArchivedDataset,
  by: { readonly oid: string; readonly at: string },
): Promise<boolean> {
  const { id, slug, title, description, source, licence, attribution } = dataset;
  if ((await datasetNamed(tx, workspaceId, slug)) !== undefined) return false;
  await requireRoom(tx, workspaceId);
  const generation = await addGeneration(tx, { workspaceId, state: "current" });
  const row = {
    workspace_id: workspaceId,
    id,
    slug,
    title,
    description,
    source,
    licence,
    attribution,
    name_properties: nameColumn(dataset.name_properties),
    version: 1,
    generation,
    features: 0,
    last_place: 0,
    ...boxColumns(undefined),
    created_by: by.oid,
    created_at: by.at,
    updated_by: by.oid,
    updated_at: by.at,
  };
  if (!(await insertDataset(tx, row))) return false;
  reportDataset(tx, row, { op: "created", version: 1, actor: by.oid });
  return true;
}

/**
 * Stores features that the dataset of this id does not have yet; returns how many. A feature whose
 * geometry is not valid is left out.
 */
export async function storeArchivedFeatures(
  tx: Transaction,
  workspaceId: string,
  dataset: Pick<ArchivedDataset, "id" | "slug">,
  features: readonly ArchivedFeature[],
): Promise<number> {
  const row = await datasetNamed(tx, workspaceId, dataset.slug);
  if (row === undefined || row.id !== dataset.id || features.length === 0) return 0;
  const { generation } = row;
  const ids = features.map(({ id }) => id);
  const known = await numbersOfIds(tx, workspaceId, generation, ids);
  const missing = features.filter(({ id }) => !known.has(id));
  let box = boxOfRow(row);
  const added = missing.flatMap((feature, index): NewFeature[] => {
    const reading =
      feature.geometry === null
        ? { geometry: null, faults: undefined }
        : readGeometry(feature.geometry, { keep: true });
    if (reading.faults !== undefined) return [];
    const { text: geometry, box: own } = textAndBox(reading.geometry);
    box = boxAroundBoth(box, own);
    const { id, version, created_at, updated_at } = feature;
    const number = featureNumber(generation, row.last_place + index + 1);
    const properties = JSON.stringify(feature.properties);
    const made = { version, created_at, updated_at };
    return [{ number, id, geometry, properties, box: own, made }];
  });
  if (added.length === 0) return 0;
  const at = row.updated_at;
  const stored = await insertFeatures(tx, { workspaceId, generation, at }, added);
  const properties = missing.map((feature) => feature.properties).filter(isJsonObject);
  await addPropertyTypes(tx, workspaceId, generation, properties);
  await updateDataset(tx, row, {
    features: row.features + stored,
    last_place: row.last_place + missing.length,
    ...boxColumns(box),
  });
  return stored;
}
