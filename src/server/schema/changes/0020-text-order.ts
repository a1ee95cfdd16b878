import { columnType, type Migration } from "../../database/migration.ts";
import { byDialect, join, raw, statement } from "../../database/statement.ts";

const { text, integer, json } = columnType;

const numbers = Array.from({ length: 16 }, (_, index) => index + 1);

/**
 * Sort keys of texts. The database computes them from `folds` and the text slots, so that records
 * of the previous build, which does not know `folds`, have keys too. PostgreSQL writes the table
 * again, because it does not index computed columns that are not stored.
 */
export const migration: Migration = {
  name: "0020-text-order",
  async up({ run, dialect }) {
    await run(statement`alter table resources add column folds ${json}`);
    const columns = numbers.map((number) => {
      const first = `substr(t${number}, 2, 256)`;
      const key = {
        sqlite: `coalesce(folds ->> ('x' || hex(${first})), lower(${first})) || char(1) || ${first}`,
        postgresql: `coalesce(folds ->> (${first}), lower(${first})) || chr(1) || ${first}`,
      }[dialect];
      return statement`add column ${raw(`o${number}`)} ${text}
        generated always as (case when t${raw(String(number))} = '' then ''
          else '=' || ${raw(key)} end) ${raw(dialect === "sqlite" ? "virtual" : "stored")}`;
    });
    if (dialect === "postgresql") await run(statement`alter table resources ${join(columns)}`);
    else for (const column of columns) await run(statement`alter table resources ${column}`);
    const last = byDialect({ sqlite: raw(""), postgresql: raw(", id") });
    for (const number of numbers) {
      await run(statement`create index ${raw(`resources_o${number}`)}
        on resources (type_number, ${raw(`o${number}`)}${last})
        where ${raw(`t${number}`)} is not null`);
    }
    // The version of the folded texts that all records of a type have; 0 while some may lack them.
    await run(
      statement`alter table object_types add column text_order ${integer} not null default 0`,
    );
  },
};
