import { expect, test } from "vitest";
import { archivedTime, recordLineOf } from "#commands/workspace/archives/public/record-line.ts";

test("a line has the archive's ids, also in references and links, and no unknown property", () => {
  const properties = {
    owner: { type: "reference", targetObjectType: "person" },
    visits: { type: "array", items: { type: "object", properties: { by: { type: "reference" } } } },
    plan: { type: "file" },
    gone: { type: "file" },
    note: { type: "string" },
  };
  const linkTypes = [{ name: "near", targetObjectType: "tree" }];
  const data = {
    owner: "7",
    visits: [{ by: "8", on: 1 }],
    near: ["9", "10"],
    note: null,
    plan: { url: "x" },
    gone: { url: "y" },
    strange: 5,
  };
  const record = { id: "1", version: 0, data, created_at: "2026-01-02T03:04:05+02:00" };
  const plan = { filename: "a.pdf", contentType: "application/pdf", size: 1, sha256: "0f" };
  const lost: string[] = [];
  const line = recordLineOf(record as never, { properties, linkTypes } as never, {
    idOf: (id) => `id-${id}`,
    files: new Map([["plan", plan]]),
    lost: (name) => lost.push(name),
  });
  expect(JSON.parse(line)).toEqual({
    id: "id-1",
    version: 1,
    created_by: "",
    updated_by: "",
    history: [],
    created_at: "2026-01-02T01:04:05.000Z",
    updated_at: "2026-01-02T01:04:05.000Z",
    data: { owner: "id-7", visits: [{ by: "id-8", on: 1 }], near: ["id-9", "id-10"], plan },
  });
  expect(lost).toEqual(["strange"]);
  expect(archivedTime("no time", "instead")).toBe("instead");
});
