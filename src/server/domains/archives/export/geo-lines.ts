import { sortedJson } from "#lib/json/value.ts";
import type { Reader } from "../../../database/database.ts";
import { jsonText } from "../../../database/dialect.ts";
import { statement } from "../../../database/statement.ts";

const pageRows = 200;

interface DatasetRow {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly licence: string;
  readonly attribution: string;
  readonly name_properties: string | null;
  readonly generation: number;
}

interface FeatureRow {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly geometry: string | null;
  readonly properties: string;
}

export interface ArchivedDataset {
  readonly slug: string;
  readonly line: string;
  /** The lines of its features in the order of their ids. */
  readonly features: () => AsyncGenerator<string[], void, undefined>;
}

/** The datasets of a workspace with the features that they show. */
export async function* archivedDatasets(
  reader: Reader,
  workspaceId: string,
): AsyncGenerator<ArchivedDataset, void, undefined> {
  const rows = await reader.all<DatasetRow>(statement`select id, slug, title, description, source,
      licence, attribution, name_properties, generation
    from geo_datasets where workspace_id = ${workspaceId} order by slug`);
  for (const { generation, name_properties, ...shown } of rows) {
    const names: unknown = name_properties === null ? [] : JSON.parse(name_properties);
    yield {
      slug: shown.slug,
      line: JSON.stringify({ ...shown, name_properties: names }),
      features: () => featureLines(reader, workspaceId, generation),
    };
  }
}

async function* featureLines(
  reader: Reader,
  workspaceId: string,
  generation: number,
): AsyncGenerator<string[], void, undefined> {
  for (let after = ""; ;) {
    const rows: FeatureRow[] = await reader.all<FeatureRow>(statement`select id, version,
        created_at, updated_at, geometry, ${jsonText("properties")} as properties
      from geo_features
      where workspace_id = ${workspaceId} and generation = ${generation} and id > ${after}
      order by id limit ${pageRows}`);
    if (rows.length > 0) yield rows.map(lineOf);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.id;
  }
}

function lineOf({ geometry, properties, ...columns }: FeatureRow): string {
  const shape = geometry === null ? "null" : geometry;
  const values = sortedJson(JSON.parse(properties));
  return `${JSON.stringify(columns).slice(0, -1)},"geometry":${shape},"properties":${values}}`;
}
