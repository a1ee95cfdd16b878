import type {
  DatasetChanges,
  DatasetCreation,
  DatasetReplacement,
  GeoDataset,
} from "#contract/geo/datasets.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import type { Reader } from "../../../database/database.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../../kit/lists/pages.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { ChangeDetails } from "../../../work/change-event.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import { lockWorkspace } from "../../workspace-lock.ts";
import {
  boxOfRow,
  countDatasets,
  datasetNamed,
  datasetsOf,
  deleteDataset,
  insertDataset,
  nameColumn,
  nameProperties,
  updateDataset,
  type DatasetRecord,
} from "./dataset-store.ts";
import { addGeneration, setGenerationState } from "./generation-store.ts";

const maximumDatasets = 1_000;

/** The dataset that a request names, and who asks. */
export interface DatasetPlace {
  readonly workspaceId: string;
  readonly dataset: string;
  readonly oid: string;
}

/** Descriptions of the datasets of workspaces. */
export class Datasets {
  constructor(
    private readonly parts: {
      readonly cursors: ListCursors;
      readonly now: () => Date;
      /** Removes features that no dataset has, in the background. */
      readonly onRetired: () => void;
    },
  ) {}

  async list(
    { read }: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<GeoDataset>> {
    const pages = new ListPages(this.parts.cursors, ["geo datasets", workspaceId]);
    const start = pages.start(query);
    const page = { after: madeAt(start.after), limit: start.rows, offset: start.offset };
    return pages.body(start, {
      rows: await datasetsOf(read, { ...page, workspaceId }),
      itemOf: datasetOf,
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countDatasets(read, workspaceId) : undefined,
    });
  }

  /** All datasets of a workspace, the newest first. */
  async all({ read }: Work, workspaceId: string): Promise<GeoDataset[]> {
    const page = { workspaceId, limit: maximumDatasets, offset: 0 };
    return (await datasetsOf(read, page)).map(datasetOf);
  }

  async get(
    { read }: Work,
    { workspaceId, dataset }: Pick<DatasetPlace, "workspaceId" | "dataset">,
  ): Promise<GeoDataset> {
    return datasetOf(await requireDataset(read, workspaceId, dataset));
  }

  async create(
    work: Work,
    { workspaceId, oid }: Pick<DatasetPlace, "workspaceId" | "oid">,
    request: DatasetCreation,
  ): Promise<GeoDataset> {
    const { dataset: slug, title = slug, ...described } = request;
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await requireRoom(tx, workspaceId);
      const at = this.parts.now().toISOString();
      const row: DatasetRecord = {
        workspace_id: workspaceId,
        id: Bun.randomUUIDv7(),
        slug,
        title,
        ...wordsOf(described),
        version: 1,
        generation: await addGeneration(tx, { workspaceId, state: "current" }),
        features: 0,
        last_place: 0,
        west: null,
        south: null,
        east: null,
        north: null,
        created_by: oid,
        created_at: at,
        updated_by: oid,
        updated_at: at,
      };
      if (!(await insertDataset(tx, row))) throw nameTaken(slug);
      reportDataset(tx, row, { op: "created", version: 1 });
      tx.note({ target: { dataset: slug }, after: factsOf(row) });
      const answer = datasetOf(row);
      tx.remember(answer, { status: 201 });
      return answer;
    });
  }

  replace(
    work: Work,
    place: DatasetPlace,
    { version, title, ...described }: DatasetReplacement,
    ifMatch: VersionMatch | undefined,
  ): Promise<GeoDataset> {
    return this.#change(work, place, { title, ...wordsOf(described) }, { version, ifMatch });
  }

  update(
    work: Work,
    place: DatasetPlace,
    { version, ...changes }: DatasetChanges,
    ifMatch: VersionMatch | undefined,
  ): Promise<GeoDataset> {
    const { nameProperties: names, ...described } = changes;
    const columns = names === undefined ? {} : { name_properties: nameColumn(names) };
    return this.#change(work, place, { ...given(described), ...columns }, { version, ifMatch });
  }

  async remove(
    work: Work,
    { workspaceId, dataset }: DatasetPlace,
    ifMatch: VersionMatch | undefined,
  ): Promise<void> {
    await work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const row = await requireDataset(tx, workspaceId, dataset);
      requireMatch(ifMatch, row.version);
      await deleteDataset(tx, row);
      await setGenerationState(tx, workspaceId, row.generation, "retired");
      reportDataset(tx, row, { op: "deleted", version: row.version + 1 });
      tx.note({ target: { dataset }, before: factsOf(row) });
      tx.afterCommit(this.parts.onRetired);
    });
  }

  async #change(
    work: Work,
    { workspaceId, dataset, oid }: DatasetPlace,
    changes: Partial<DatasetRecord>,
    made: { readonly version: number | undefined; readonly ifMatch: VersionMatch | undefined },
  ): Promise<GeoDataset> {
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const before = await requireDataset(tx, workspaceId, dataset);
      requireMatch(made.ifMatch, before.version);
      requireVersion(made.version, before.version, "dataset");
      const touched = { updated_by: oid, updated_at: this.parts.now().toISOString() };
      await updateDataset(tx, before, { ...changes, ...touched });
      const row = { ...before, ...changes, ...touched, version: before.version + 1 };
      const changed = Object.keys(changes);
      reportDataset(tx, row, { op: "updated", version: row.version, changed });
      tx.note({ target: { dataset }, before: factsOf(before), after: factsOf(row) });
      return datasetOf(row);
    });
  }
}

/** The dataset with this name; 404 without one. */
export async function requireDataset(
  reader: Reader,
  workspaceId: string,
  slug: string,
): Promise<DatasetRecord> {
  const row = await datasetNamed(reader, workspaceId, slug);
  if (row !== undefined) return row;
  throw new Refusal("not-found", { detail: "This workspace has no such dataset" });
}

/** Refuses 409 for a change that was made from another version. */
export function requireVersion(
  given: number | undefined,
  currentVersion: number,
  noun: string,
): void {
  if (given === undefined || given === currentVersion) return;
  throw new Refusal("version-conflict", {
    detail: `Cannot change this ${noun}: its current version is ${currentVersion}`,
    members: { currentVersion },
  });
}

export function reportDataset(tx: Transaction, row: DatasetRecord, details: ChangeDetails): void {
  tx.event("dataset", row.slug, row.workspace_id, details);
}

function datasetOf(row: DatasetRecord): GeoDataset {
  const { slug: dataset, title, description, source, licence, attribution } = row;
  const { version, features, created_by, created_at, updated_by, updated_at } = row;
  const bbox = boxOfRow(row);
  return {
    dataset,
    title,
    description,
    source,
    licence,
    attribution,
    nameProperties: [...nameProperties(row)],
    version,
    features,
    bbox: bbox === undefined ? null : [...bbox],
    created_by,
    created_at,
    updated_by,
    updated_at,
  };
}

function wordsOf(
  described: Pick<
    DatasetCreation,
    "description" | "source" | "licence" | "attribution" | "nameProperties"
  >,
) {
  const { description = "", source = "", licence = "", attribution = "" } = described;
  const name_properties = nameColumn(described.nameProperties);
  return { description, source, licence, attribution, name_properties };
}

function factsOf({ title, source, licence, features }: DatasetRecord): object {
  return { title, source, licence, features };
}

/** Refuses 409 for one more dataset than a workspace may have. */
export async function requireRoom(tx: Transaction, workspaceId: string): Promise<void> {
  if ((await countDatasets(tx, workspaceId)) < maximumDatasets) return;
  throw new Refusal("conflict", {
    detail: `Cannot add another dataset: a workspace has at most ${maximumDatasets}. Delete one first`,
  });
}

function nameTaken(slug: string): Refusal {
  const detail = `"${slug}" is already used in this workspace`;
  return new Refusal("already-exists", {
    detail: `Cannot create this dataset: dataset ${detail}`,
    errors: [{ pointer: pointer("dataset"), detail }],
  });
}
