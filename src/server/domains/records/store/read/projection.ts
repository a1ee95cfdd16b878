import {
  byDialect,
  join,
  literal,
  raw,
  statement,
  type Statement,
} from "../../../../database/statement.ts";
import { recordColumns } from "../records.ts";

/** The properties of a record's data that a read returns. */
export interface FieldChoice {
  /** True if the names are those to return, false if they are those to leave out. */
  readonly isInclusive: boolean;
  readonly names: readonly string[];
}

/** The columns to select, with only some properties of the data. */
export interface Projection {
  readonly columns: Statement;
  /** Differs for reads whose rows differ in size. */
  readonly key: string;
}

export function projectionOf(choice: FieldChoice): Projection {
  const { isInclusive, names } = choice;
  const data = isInclusive ? textOf(names) : textWithout(names);
  return {
    columns: statement`resources.id, resources.version, ${data} as data, resources.created_at,
      resources.updated_at, resources.created_by, resources.updated_by`,
    key: `${isInclusive ? "+" : "-"}${names.join()}`,
  };
}

/** The columns of a projection, or of whole records. */
export function columnsOf(projection: Projection | undefined): Statement {
  return projection?.columns ?? recordColumns;
}

/** The definition of a type, or the part of it that a caller may read. */
export interface NamedMembers {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly linkTypes: readonly { readonly name: string }[];
}

export function memberNames({ properties, linkTypes }: NamedMembers): string[] {
  return [...Object.keys(properties), ...linkTypes.map(({ name }) => name)];
}

/**
 * JSON text of some members: the engine copies each value and parses nothing. On SQLite it is one
 * text, which renders as fast as that of the whole record; PostgreSQL prepares each text for good,
 * so that names are values there.
 */
export function textOf(names: readonly string[]): Statement {
  const members = names.map((name) => ({ name, head: `,${JSON.stringify(name)}:` }));
  const ofSqlite = members.map(
    ({ name, head }) =>
      `coalesce(${literal(head)} || (resources.data -> ${literal(`$.${name}`)}), '')`,
  );
  const ofPostgresql = members.map(
    ({ name, head }) =>
      statement`coalesce(${head}::text || (resources.data -> ${name}::text)::text, '')`,
  );
  return byDialect({
    sqlite: raw(`'{' || substr(${ofSqlite.join(" || ")}, 2) || '}'`),
    postgresql: statement`'{' || substr(${join(ofPostgresql, " || ")}, 2) || '}'`,
  });
}

function textWithout(names: readonly string[]): Statement {
  const paths = names.map((name) => statement`, ${`$.${name}`}`);
  const removed = names.map((name) => statement` - ${name}::text`);
  return byDialect({
    sqlite: statement`json(jsonb_remove(resources.data${join(paths, "")}))`,
    postgresql: statement`(resources.data${join(removed, "")})::text`,
  });
}
