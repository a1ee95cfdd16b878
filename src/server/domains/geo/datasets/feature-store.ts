import type { Reader, Writer } from "../../../database/database.ts";
import { jsonOf, jsonText } from "../../../database/dialect.ts";
import {
  assignments,
  byDialect,
  join,
  nothing,
  raw,
  statement,
  valueRows,
  type Statement,
} from "../../../database/statement.ts";
import { boxOf, partsOf, type Box, type Geometry } from "#lib/geometry/geometry.ts";
import { boxColumns } from "./dataset-store.ts";

/** Places of the features of one generation; a number of both is exact in a double. */
const placesOfGeneration: number = 2 ** 26;
export const lastPossiblePlace: number = placesOfGeneration - 1;

export function featureNumber(generation: number, place: number): number {
  return generation * placesOfGeneration + place;
}

export function generationOf(number: number): number {
  return Math.floor(number / placesOfGeneration);
}

export function placeOf(number: number): number {
  return number % placesOfGeneration;
}

/** A feature, with its geometry and its properties as JSON text. */
export interface FeatureRecord {
  readonly number: number;
  readonly id: string;
  readonly version: number;
  readonly geometry: string | null;
  readonly properties: string;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface NewFeature {
  readonly number: number;
  readonly id: string;
  readonly geometry: string | null;
  readonly properties: string;
  readonly box: Box | undefined;
  /** The version and times of a feature of an archive; absent for a new feature. */
  readonly made?: Pick<FeatureRecord, "version" | "created_at" | "updated_at">;
}

/** A geometry as its columns have it. */
export function textAndBox(geometry: Geometry | null): Pick<NewFeature, "box"> & {
  readonly text: string | null;
} {
  if (geometry === null) return { text: null, box: undefined };
  return { text: JSON.stringify(geometry), box: boxOf(partsOf(geometry)) };
}

const columns: Statement = statement`${raw(
  "number, id, version, geometry, west, south, east, north, created_at, updated_at",
)}, ${jsonText("properties")} as properties`;

interface Target {
  readonly workspaceId: string;
  readonly generation: number;
  /** The time of each feature that names no time. */
  readonly at: string;
}

/** Adds features; returns how many had an id that the generation did not have yet. */
export async function insertFeatures(
  writer: Writer,
  target: Target,
  features: readonly NewFeature[],
): Promise<number> {
  const rows = byDialect({
    get sqlite() {
      return rowsOfValues(target, features);
    },
    get postgresql() {
      return rowsOfText(target, features);
    },
  });
  const { changedRows } = await writer.run(statement`insert into geo_features (number,
      workspace_id, generation, id, version, geometry, properties, west, south, east, north,
      created_at, updated_at)
    ${rows} on conflict do nothing`);
  return changedRows;
}

function rowsOfValues(
  { workspaceId, generation, at }: Target,
  features: readonly NewFeature[],
): Statement {
  const rows = features.map(({ number, id, geometry, properties, box, made }) => {
    const { west, south, east, north } = boxColumns(box);
    const { version = 1, created_at = at, updated_at = at } = made ?? {};
    const times = [version, created_at, updated_at];
    return [number, id, geometry, properties, west, south, east, north, ...times];
  });
  return statement`select column1, ${workspaceId}, ${generation}, column2, column9, column3,
      jsonb(column4), column5, column6, column7, column8, column10, column11
    from (${valueRows(rows)}) where true`;
}

/** One text costs PostgreSQL and its driver less than thirteen parameters for each feature. */
function rowsOfText(
  { workspaceId, generation, at }: Target,
  features: readonly NewFeature[],
): Statement {
  const rows = features.map(({ box, made, ...own }) => ({ ...own, ...boxColumns(box), ...made }));
  return statement`select number, ${workspaceId}, ${generation}::bigint, id, coalesce(version, 1),
      geometry, properties::jsonb, west, south, east, north, coalesce(created_at, ${at}),
      coalesce(updated_at, ${at})
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as feature (number bigint, id text,
      version bigint, geometry text, properties text, west float8, south float8, east float8,
      north float8, created_at text, updated_at text)`;
}

/** The numbers of the features with these ids. */
export async function numbersOfIds(
  reader: Reader,
  workspaceId: string,
  generation: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await reader.all<{ id: string; number: number }>(statement`select id, number
    from geo_features where workspace_id = ${workspaceId} and generation = ${generation}
      and id in (${join(ids)})`);
  return new Map(rows.map(({ id, number }) => [id, Number(number)]));
}

export async function featureById(
  reader: Reader,
  workspaceId: string,
  generation: number,
  id: string,
): Promise<FeatureRecord | undefined> {
  const row = await reader.first<FeatureRecord>(statement`select ${columns} from geo_features
    where workspace_id = ${workspaceId} and generation = ${generation} and id = ${id}`);
  return row && withNumbers(row);
}

export async function updateFeature(
  writer: Writer,
  workspaceId: string,
  feature: Pick<FeatureRecord, "number" | "version" | "geometry" | "properties" | "updated_at"> & {
    readonly box: Box | undefined;
  },
): Promise<void> {
  const { number, version, geometry, properties, updated_at, box } = feature;
  const changes = { version, geometry, updated_at, ...boxColumns(box) };
  await writer.run(statement`update geo_features
    set ${assignments(changes)}, properties = ${jsonOf(properties)}
    where number = ${number} and workspace_id = ${workspaceId}`);
}

export async function deleteFeature(
  writer: Writer,
  workspaceId: string,
  number: number,
): Promise<void> {
  await writer.run(statement`delete from geo_features
    where number = ${number} and workspace_id = ${workspaceId}`);
}

export interface FeatureSource {
  readonly workspaceId: string;
  readonly generation: number;
  readonly where: Statement<boolean> | undefined;
}

/**
 * The numbers of up to `limit` features whose boxes meet one of these, in no order, by the index of
 * boxes. None of the boxes crosses 180 degrees. On SQLite, some of them may only be near a box.
 */
export async function numbersInBoxes(
  reader: Reader,
  { workspaceId, generation }: FeatureSource,
  boxes: readonly Box[],
  limit: number,
): Promise<number[]> {
  const shift = (generation % 65_536) * 1_000;
  const each = boxes.map(([west, south, east, north]) =>
    byDialect({
      sqlite: statement`select number from geo_boxes where west <= ${east} and east >= ${west}
        and south <= ${north} and north >= ${south}
        and generation <= ${generation} and generation_end >= ${generation}`,
      // Only the index of boxes can serve it, whatever the planner knows of the generation.
      postgresql: statement`select number from placed_features
        where (workspace_id = ${workspaceId}) is true and (generation = ${generation}) is true
          and box(point(west + (generation % 65536) * 1000, south),
            point(east + (generation % 65536) * 1000, north))
          && box(point(${west + shift}::float8, ${south}::float8),
            point(${east + shift}::float8, ${north}::float8))`,
    }),
  );
  const rows = await reader.all<{ number: number }>(
    statement`select number from (${join(each, " union ")}) as near limit ${limit}`,
  );
  return rows.map(({ number }) => Number(number));
}

/** The table for conditions on numbers: SQLite would take the index of workspaces instead. */
export const featuresByNumber: Statement = byDialect({
  sqlite: raw("geo_features not indexed"),
  postgresql: raw("geo_features"),
});

/** True if a row has one of these numbers; as doubles, they would not use the primary key. */
export function isOneOfFeatures(numbers: readonly number[]): Statement<boolean> {
  const list = JSON.stringify(numbers);
  return byDialect<boolean>({
    sqlite: statement`number in (select value from json_each(${list}))`,
    postgresql: statement`number = any (array(
      select value::bigint from jsonb_array_elements_text(${list}::text::jsonb) as value))`,
  });
}

/** The features with these numbers that pass the filter, in their order. */
export async function featuresOfNumbers(
  reader: Reader,
  { workspaceId, where }: FeatureSource,
  numbers: readonly number[],
): Promise<FeatureRecord[]> {
  const rows = await reader.all<FeatureRecord>(statement`select ${columns} from ${featuresByNumber}
    where ${isOneOfFeatures(numbers)} and workspace_id = ${workspaceId}
      ${where === undefined ? nothing : statement`and ${where}`}
    order by number`);
  return rows.map(withNumbers);
}

/** The next features after a place that pass the filter and whose boxes meet one of these. */
export async function featuresAfter(
  reader: Reader,
  { workspaceId, generation, where }: FeatureSource,
  {
    after,
    limit,
    boxes,
  }: { readonly after: number; readonly limit: number; readonly boxes?: readonly Box[] },
): Promise<FeatureRecord[]> {
  const near = boxes?.map(
    ([west, south, east, north]) => statement`(west <= ${east} and east >= ${west}
      and south <= ${north} and north >= ${south})`,
  );
  const rows = await reader.all<FeatureRecord>(statement`select ${columns} from ${featuresByNumber}
    where number > ${featureNumber(generation, after)}
      and number < ${featureNumber(generation + 1, 0)} and workspace_id = ${workspaceId}
      ${near === undefined ? nothing : statement`and (${join(near, " or ")})`}
      ${where === undefined ? nothing : statement`and ${where}`}
    order by number limit ${limit}`);
  return rows.map(withNumbers);
}

export async function countFeatures(
  reader: Reader,
  { workspaceId, generation, where }: FeatureSource,
): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count
    from ${featuresByNumber} where number > ${featureNumber(generation, 0)}
      and number < ${featureNumber(generation + 1, 0)} and workspace_id = ${workspaceId}
      ${where === undefined ? nothing : statement`and ${where}`}`);
  return Number(row?.count ?? 0);
}

/** Numbers of 64 bits are bigint on PostgreSQL. */
function withNumbers(row: FeatureRecord): FeatureRecord {
  return { ...row, number: Number(row.number), version: Number(row.version) };
}
