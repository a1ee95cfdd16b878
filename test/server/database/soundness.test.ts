import { expect, test } from "vitest";
import { integrityFaults } from "#server/database/soundness.ts";

test("SQLite's own check is read, and PostgreSQL is not asked", async () => {
  const all = () => Promise.resolve([{ integrity_check: "ok" }, { integrity_check: "page 3" }]);
  expect(await integrityFaults({ dialect: "sqlite", all } as never)).toEqual(["page 3"]);
  expect(await integrityFaults({ dialect: "postgresql", all } as never)).toEqual([]);
});
