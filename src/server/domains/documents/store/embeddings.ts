import type { Reader, Writer } from "../../../database/database.ts";
import { forUpdate, isOneOf, jsonFieldText } from "../../../database/dialect.ts";
import { join, raw, statement, type Statement } from "../../../database/statement.ts";
import type { DocumentKey } from "./document-row.ts";

/** The vectors of a workspace: their model, their size, and the number of writes so far. */
export interface EmbeddingState {
  /** Empty before the first vector. */
  readonly model: string;
  readonly dimensions: number;
  readonly revision: number;
}

/** A passage without a vector of the model. */
export interface UnembeddedPassage {
  readonly documentId: string;
  readonly ordinal: number;
  readonly filename: string;
  readonly title: string | null;
  /** The heading above it and those inside it, one per line. */
  readonly headings: string;
  readonly text: string;
}

/** A document with passages to embed, at the version that was read. */
export interface UnembeddedDocument {
  readonly id: string;
  readonly version: number;
}

export interface VectorRow {
  readonly documentId: string;
  readonly ordinal: number;
  /** Empty for a passage that the model refuses. */
  readonly bytes: Uint8Array;
}

const isSearched = raw("index_status = 'indexed' and status <> 'deleting'");

export async function embeddingState(
  reader: Reader,
  workspaceId: string,
): Promise<EmbeddingState | undefined> {
  return reader.first<EmbeddingState>(statement`select model, dimensions, revision
    from embedding_states where workspace_id = ${workspaceId}`);
}

/**
 * A workspace with documents that the model has not embedded. New documents come first, from one
 * workspace after the other.
 */
export async function workspaceToEmbed(
  reader: Reader,
  model: string,
  afterWorkspaceId: string,
): Promise<string | undefined> {
  const conditions = [
    statement`embedded_with = '' and workspace_id > ${afterWorkspaceId}`,
    raw("embedded_with = ''"),
    statement`embedded_with > '' and embedded_with < ${model}`,
    statement`embedded_with > ${model}`,
  ];
  const found = conditions.map(
    (condition, place) => statement`select ${raw(String(place))} as place, workspace_id from (
      select workspace_id from documents where ${isSearched} and ${condition}
      order by embedded_with, workspace_id limit 1) as found`,
  );
  const row = await reader.first<{ id: string }>(
    statement`select workspace_id as id from (${join(found, " union all ")}) as places
      order by place limit 1`,
  );
  return row?.id;
}

/** True if this owner may embed the workspace's passages until a time; another one then waits. */
export async function leaseEmbedding(
  writer: Writer,
  workspaceId: string,
  { owner, now, until }: { readonly owner: string; readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`insert into embedding_states
    (workspace_id, model, dimensions, revision, owner, leased_until)
    values (${workspaceId}, '', 0, 0, ${owner}, ${until.toISOString()})
    on conflict (workspace_id) do update
      set owner = excluded.owner, leased_until = excluded.leased_until
      where embedding_states.owner = excluded.owner
        or embedding_states.leased_until < ${now.toISOString()}`);
  return changedRows === 1;
}

/** Ends the leases of an owner. */
export async function releaseEmbeddings(writer: Writer, owner: string): Promise<void> {
  await writer.run(statement`update embedding_states set leased_until = ''
    where owner = ${owner}`);
}

export async function documentsToEmbed(
  reader: Reader,
  workspaceId: string,
  model: string,
  limit: number,
): Promise<UnembeddedDocument[]> {
  return reader.all<UnembeddedDocument>(statement`select id, version from documents
    where workspace_id = ${workspaceId} and ${isSearched} and embedded_with <> ${model}
    order by embedded_with, id limit ${limit}`);
}

/** The next passages of these documents without a vector of the model. */
export async function passagesToEmbed(
  reader: Reader,
  { workspaceId, model }: { readonly workspaceId: string; readonly model: string },
  documentIds: readonly string[],
  limit: number,
): Promise<UnembeddedPassage[]> {
  return reader.all<UnembeddedPassage>(statement`select c.document_id as "documentId", c.ordinal,
      c.text, c.headings, d.filename, ${jsonFieldText("d.properties", ["title"])} as title
    from document_chunks c join documents d
      on d.workspace_id = c.workspace_id and d.id = c.document_id
    where c.workspace_id = ${workspaceId} and ${isOneOf(raw("c.document_id"), documentIds)}
      and ${lacksVector(model)}
    order by c.document_id, c.ordinal limit ${limit}`);
}

function lacksVector(model: string): Statement<boolean> {
  return statement`not exists (select 1 from passage_vectors v
    where v.workspace_id = c.workspace_id and v.document_id = c.document_id
      and v.ordinal = c.ordinal and v.model = ${model})`;
}

export interface NewVectors {
  readonly workspaceId: string;
  readonly model: string;
  readonly dimensions: number;
  /** Vectors of a document that has changed since are left out. */
  readonly documents: readonly UnembeddedDocument[];
  readonly rows: readonly VectorRow[];
}

/** Stores vectors, and marks the documents whose passages all have one. */
export async function storeVectors(writer: Writer, vectors: NewVectors): Promise<void> {
  const { workspaceId, model, dimensions, documents, rows } = vectors;
  // The contended row first: on PostgreSQL this orders the writers of a workspace.
  const state = await writer.first<{ revision: number }>(statement`update embedding_states
    set revision = revision + 1, model = ${model},
      dimensions = ${dimensions === 0 ? raw("dimensions") : dimensions}
    where workspace_id = ${workspaceId} returning revision`);
  const versions = new Map(documents.map(({ id, version }) => [id, version]));
  const current = await writer.all<UnembeddedDocument>(statement`select id, version from documents
    where workspace_id = ${workspaceId} and ${isOneOf(raw("id"), [...versions.keys()])}
      and ${isSearched} order by id ${forUpdate}`);
  const same = new Set(
    current.filter(({ id, version }) => versions.get(id) === version).map(({ id }) => id),
  );
  const values = rows
    .filter(({ documentId }) => same.has(documentId))
    .map(
      ({ documentId, ordinal, bytes }) => statement`(${workspaceId}, ${documentId}, ${ordinal},
        ${model}, ${state?.revision ?? 0}, ${bytes})`,
    );
  if (values.length > 0) {
    await writer.run(statement`insert into passage_vectors
      (workspace_id, document_id, ordinal, model, revision, vector) values ${join(values)}
      on conflict (workspace_id, document_id, ordinal) do update
        set model = excluded.model, revision = excluded.revision, vector = excluded.vector`);
  }
  await writer.run(statement`update documents set embedded_with = ${model}
    where workspace_id = ${workspaceId} and ${isOneOf(raw("id"), [...same])}
      and not exists (select 1 from document_chunks c
        where c.workspace_id = documents.workspace_id and c.document_id = documents.id
          and ${lacksVector(model)})`);
}

/** Removes up to `limit` vectors of a document, whose passages then wait for new ones. */
export async function removeVectors(
  writer: Writer,
  { workspaceId, id }: DocumentKey,
  limit: number,
): Promise<number> {
  await writer.run(statement`update documents set embedded_with = ''
    where workspace_id = ${workspaceId} and id = ${id} and embedded_with <> ''`);
  const { changedRows } = await writer.run(statement`delete from passage_vectors
    where workspace_id = ${workspaceId} and document_id = ${id} and ordinal in (
      select ordinal from passage_vectors
      where workspace_id = ${workspaceId} and document_id = ${id} limit ${limit})`);
  return changedRows;
}

/** Accepts vectors of another size from the next write on. */
export async function forgetDimensions(writer: Writer, workspaceId: string): Promise<void> {
  await writer.run(statement`update embedding_states set model = '', dimensions = 0
    where workspace_id = ${workspaceId}`);
}

export interface StoredVectorRow extends VectorRow {
  readonly revision: number;
}

/** Vectors of the model that were written after a revision, in the order of their writes. */
export async function vectorsAfter(
  reader: Reader,
  { workspaceId, model }: { readonly workspaceId: string; readonly model: string },
  revision: number,
  limit: number,
): Promise<StoredVectorRow[]> {
  return reader.all<StoredVectorRow>(statement`select document_id as "documentId", ordinal,
      vector as bytes, revision from passage_vectors
    where workspace_id = ${workspaceId} and model = ${model} and revision > ${revision}
    order by revision limit ${limit}`);
}

export interface EmbeddingCounts {
  readonly documents: number;
  readonly embedded: number;
}

/** The searched documents of a workspace, and those that the model has embedded. */
export async function countEmbedded(
  reader: Reader,
  workspaceId: string,
  model: string,
): Promise<EmbeddingCounts> {
  const row = await reader.first<{ documents: number; embedded: number }>(statement`select
      count(*) as documents,
      coalesce(sum(case when embedded_with = ${model} then 1 else 0 end), 0) as embedded
    from documents where workspace_id = ${workspaceId} and ${isSearched} limit 1`);
  return { documents: Number(row?.documents ?? 0), embedded: Number(row?.embedded ?? 0) };
}
