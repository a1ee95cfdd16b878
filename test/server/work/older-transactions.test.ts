import { SQL } from "bun";
import { expect, test } from "vitest";
import { raw } from "#server/database/statement.ts";
import { olderTransactionsEnded } from "#server/work/older-transactions.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";

const scope = { workspaces: ["a"], caller: "" };
const limitMs = 20_000;

describeOnEachDatabase("the end of older transactions", (open, { engine, createTables }) => {
  test("is there at once where none is open", async () => {
    const { read } = (await open()).in(scope);
    expect(await olderTransactionsEnded(read, { limitMs })).toBe(true);
  });

  test.runIf(engine === "postgresql")("is awaited where another platform writes", async () => {
    const { url } = await createTables();
    const { read } = (await open({ url })).in(scope);
    const platform = new SQL(url, { max: 1, connection: { application_name: "svc" } });
    const write = await platform.reserve();
    try {
      await write.unsafe("begin isolation level serializable");
      await write.unsafe("select 1");
      let hasEnded = false;
      const ended = olderTransactionsEnded(read, { limitMs }).finally(() => {
        hasEnded = true;
      });
      for (let look = 0; look < 20; look += 1) await read.all(raw("select 1 as looks"));
      expect(hasEnded).toBe(false);
      expect(await olderTransactionsEnded(read, { limitMs: 0 })).toBe(false);
      await write.unsafe("commit");
      // The next transaction of the session has begun after the call.
      await write.unsafe("begin");
      expect(await ended).toBe(true);
    } finally {
      await write.unsafe("rollback");
      await write.release();
      await platform.close();
    }
  });
});
