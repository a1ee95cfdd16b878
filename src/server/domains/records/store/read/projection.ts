import { byDialect, join, statement, type Statement } from "../../../../database/statement.ts";
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

/** JSON text of some members: the engine copies each value and parses nothing. */
function textOf(names: readonly string[]): Statement {
  const members = names.map((name) => {
    const head = `,${JSON.stringify(name)}:`;
    return byDialect({
      sqlite: statement`coalesce(${head} || (resources.data -> ${`$.${name}`}), '')`,
      postgresql: statement`coalesce(${head}::text || (resources.data -> ${name}::text)::text, '')`,
    });
  });
  return statement`'{' || substr(${join(members, " || ")}, 2) || '}'`;
}

function textWithout(names: readonly string[]): Statement {
  const paths = names.map((name) => statement`, ${`$.${name}`}`);
  const removed = names.map((name) => statement` - ${name}::text`);
  return byDialect({
    sqlite: statement`json(jsonb_remove(resources.data${join(paths, "")}))`,
    postgresql: statement`(resources.data${join(removed, "")})::text`,
  });
}
