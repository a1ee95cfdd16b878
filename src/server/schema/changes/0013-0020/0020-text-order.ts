import { columnType, type Migration } from "../../../database/migration.ts";
import { raw, statement } from "../../../database/statement.ts";

const { text, integer, json } = columnType;

const numbers = Array.from({ length: 16 }, (_, index) => index + 1);

/**
 * Sort keys of texts. The database computes them from `folds` and the text slots, so that records
 * of the previous build, which does not know `folds`, have keys too. PostgreSQL indexes the
 * expression: a stored column would write the table again and make each creation dearer.
 */
export const migration: Migration = {
  name: "0020-text-order",
  async up({ run, dialect }) {
    await run(statement`alter table resources add column folds ${json}`);
    for (const number of numbers) {
      const first = `substr(t${number}, 2, 256)`;
      const fold = { sqlite: `('x' || hex(${first}))`, postgresql: `(${first})` }[dialect];
      const mark = { sqlite: "char(1)", postgresql: "chr(1)" }[dialect];
      const key = `(case when t${number} = '' then ''
        else '=' || (coalesce(folds ->> ${fold}, lower(${first})) || ${mark} || ${first}) end)`;
      if (dialect === "sqlite") {
        const computed = statement`${text} generated always as ${raw(key)} virtual`;
        await run(statement`alter table resources add column ${raw(`o${number}`)} ${computed}`);
      }
      const indexed = { sqlite: `o${number}`, postgresql: `(${key} collate "C"), id` }[dialect];
      await run(
        raw(`create index resources_o${number} on resources (type_number, ${indexed})
        where t${number} is not null`),
      );
    }
    // The version of the folded texts that all records of a type have; 0 while some may lack them.
    await run(
      statement`alter table object_types add column text_order ${integer} not null default 0`,
    );
  },
};
