import { writeSync } from "node:fs";
import { statement } from "#server/database/statement.ts";
import { openDatabase } from "#server/database/open.ts";
import { everyWorkspace } from "#server/kit/scope.ts";

/**
 * The process that the durability test kills. It writes rows, several at a time, and prints the
 * number of a row on stdout (unbuffered) after its unit has resolved.
 */
const [url = "", start = "0", end = "0", writers = "4"] = Bun.argv.slice(2);
const database = await openDatabase({
  url,
  migrations: [
    {
      name: "0001-rows",
      up: (context) =>
        context.run(statement`create table rows (n integer primary key, twice integer not null)`),
    },
  ],
});
const { write: writeRows } = database.in(everyWorkspace);
let next = Number(start);

async function write(): Promise<void> {
  while (next < Number(end)) {
    const n = next;
    next += 1;
    await writeRows(async (writer) => {
      await writer.run(statement`insert into rows (n, twice) values (${n}, ${0})`);
      await writer.run(statement`update rows set twice = ${2 * n} where n = ${n}`);
    });
    writeSync(1, `${n}\n`);
  }
}

await Promise.all(Array.from({ length: Number(writers) }, write));
await database.close();
