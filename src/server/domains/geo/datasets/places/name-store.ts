import type { Reader } from "../../../../database/database.ts";
import { jsonText } from "../../../../database/dialect.ts";
import { statement } from "../../../../database/statement.ts";
import {
  featureNumber,
  featuresByNumber,
  isOneOfFeatures,
  type FeatureRecord,
  type FeatureSource,
} from "../feature-store.ts";

/** Features with longer properties have no names: a search reads those of hundreds. */
const longestProperties = 65_536;
/** Characters of a geometry that an answer has. */
const longestGeometry = 65_536;

const properties = statement`${jsonText("properties")} as properties`;
const hasShortProperties = statement`length(${jsonText("properties")}) <= ${longestProperties}`;

export interface NamedRow extends Pick<
  FeatureRecord,
  "number" | "id" | "properties" | "west" | "south" | "east" | "north"
> {
  /** Null for a geometry that is too long for an answer. */
  readonly geometry: string | null;
}

type NamesRow = Pick<FeatureRecord, "number" | "properties">;

/** The properties of the next features after a place. */
export async function propertiesAfter(
  reader: Reader,
  { workspaceId, generation }: Omit<FeatureSource, "where">,
  after: number,
  limit: number,
): Promise<NamesRow[]> {
  const rows = await reader.all<NamesRow>(statement`select number,
      case when ${hasShortProperties} then ${jsonText("properties")} else '{}' end as properties
    from ${featuresByNumber} where number > ${featureNumber(generation, after)}
      and number < ${featureNumber(generation + 1, 0)} and workspace_id = ${workspaceId}
    order by number limit ${limit}`);
  return rows.map(withNumber);
}

/** The properties of features that were changed since a time after their creation. */
export async function changedProperties(
  reader: Reader,
  { workspaceId, generation }: Omit<FeatureSource, "where">,
  since: string,
  limit: number,
): Promise<NamesRow[]> {
  const rows = await reader.all<NamesRow>(statement`select number, ${properties}
    from ${featuresByNumber} where number > ${featureNumber(generation, 0)}
      and number < ${featureNumber(generation + 1, 0)} and workspace_id = ${workspaceId}
      and version > 1 and updated_at >= ${since} and ${hasShortProperties}
    limit ${limit}`);
  return rows.map(withNumber);
}

/** The features with these numbers, without those whose properties are too long. */
export async function namedFeatures(
  reader: Reader,
  workspaceId: string,
  numbers: readonly number[],
): Promise<NamedRow[]> {
  const rows = await reader.all<NamedRow>(statement`select number, id, ${properties},
      west, south, east, north,
      case when length(geometry) <= ${longestGeometry} then geometry end as geometry
    from ${featuresByNumber} where ${isOneOfFeatures(numbers)}
      and workspace_id = ${workspaceId} and ${hasShortProperties}
    order by number`);
  return rows.map(withNumber);
}

function withNumber<Row extends { readonly number: number }>(row: Row): Row {
  return { ...row, number: Number(row.number) };
}
