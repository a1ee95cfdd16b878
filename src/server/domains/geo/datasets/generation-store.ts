import type { Reader, Writer } from "../../../database/database.ts";
import { forUpdate } from "../../../database/dialect.ts";
import { insertInto, statement, type Statement } from "../../../database/statement.ts";
import { PropertyTypes } from "../property-types.ts";

/** The state of a generation: of a dataset, of an import that runs, or of features to remove. */
export type GenerationState = "current" | "loading" | "retired";

/** Adds a generation with a number that no other one of the installation has. */
export async function addGeneration(
  writer: Writer,
  row: { readonly workspaceId: string; readonly state: GenerationState; readonly jobId?: string },
): Promise<number> {
  const counter = "geo generations";
  const counted = await writer.first<{ last: number }>(statement`insert into source_numbers
      (name, last) values (${counter}, 1)
    on conflict (name) do update set last = source_numbers.last + 1 returning last`);
  const number = Number(counted?.last ?? 1);
  const { workspaceId: workspace_id, state, jobId: job_id = null } = row;
  const generation = { workspace_id, number, state, job_id, property_types: "{}" };
  await writer.run(insertInto("geo_generations", generation));
  return number;
}

/** The text of the types of its features' properties; undefined if they are not known. */
export async function propertyTypesOf(
  reader: Reader,
  workspaceId: string,
  number: number,
): Promise<string | undefined> {
  const row = await reader.first<PropertyTypesRow>(propertyTypesRow(workspaceId, number));
  return row?.property_types ?? undefined;
}

interface PropertyTypesRow {
  readonly property_types: string | null;
}

function propertyTypesRow(workspaceId: string, number: number): Statement {
  return statement`select property_types from geo_generations
    where workspace_id = ${workspaceId} and number = ${number}`;
}

/** Adds the types of a feature's properties to those that are known. */
export async function addPropertyTypes(
  writer: Writer,
  workspaceId: string,
  number: number,
  features: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const seen = await propertyTypesOf(writer, workspaceId, number);
  if (seen === undefined || withTypes(seen, features) === seen) return;
  // Most features bring no type: only one that does waits for those that bring others.
  const row = await writer.first<PropertyTypesRow>(statement`
    ${propertyTypesRow(workspaceId, number)} ${forUpdate}`);
  const before = row?.property_types ?? undefined;
  if (before === undefined) return;
  await setPropertyTypes(writer, workspaceId, number, withTypes(before, features));
}

/** The text of types with those of features. */
function withTypes(text: string, features: readonly Readonly<Record<string, unknown>>[]): string {
  const types = PropertyTypes.of(text);
  for (const properties of features) types.add(properties);
  return types.text;
}

export async function setPropertyTypes(
  writer: Writer,
  workspaceId: string,
  number: number,
  types: string,
): Promise<void> {
  await writer.run(statement`update geo_generations set property_types = ${types}
    where workspace_id = ${workspaceId} and number = ${number}`);
}

export async function setGenerationState(
  writer: Writer,
  workspaceId: string,
  number: number,
  state: GenerationState,
): Promise<void> {
  await writer.run(statement`update geo_generations set state = ${state}
    where workspace_id = ${workspaceId} and number = ${number}`);
}

/** Retires what an earlier attempt of a job has stored. */
export async function retireOfJob(
  writer: Writer,
  workspaceId: string,
  jobId: string,
): Promise<void> {
  await writer.run(statement`update geo_generations set state = 'retired'
    where workspace_id = ${workspaceId} and job_id = ${jobId} and state = 'loading'`);
}

export interface Generation {
  readonly workspaceId: string;
  readonly number: number;
}

/** Generations to remove: those that are retired, and those of jobs that have ended. */
export async function removableGenerations(reader: Reader, limit: number): Promise<Generation[]> {
  const rows = await reader.all<{ workspace_id: string; number: number }>(statement`select
      workspace_id, number from geo_generations where state = 'retired'
    union all
    select workspace_id, number from geo_generations where state = 'loading'
      and not exists (select 1 from jobs where jobs.workspace_id = geo_generations.workspace_id
        and jobs.id = geo_generations.job_id
        and jobs.state in ('queued', 'running', 'interrupted'))
    limit ${limit}`);
  return rows.map((row) => ({ workspaceId: row.workspace_id, number: Number(row.number) }));
}

/** Deletes up to `limit` features of a generation, and the generation with its last ones. */
export async function removeSlice(
  writer: Writer,
  { workspaceId, number }: Generation,
  limit: number,
): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from geo_features
    where number in (select number from geo_features
      where workspace_id = ${workspaceId} and generation = ${number} limit ${limit})`);
  if (changedRows < limit) {
    await writer.run(statement`delete from geo_generations
      where workspace_id = ${workspaceId} and number = ${number}`);
  }
  return changedRows;
}
