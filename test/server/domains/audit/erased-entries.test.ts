import { expect, test } from "vitest";
import { withoutValues } from "#server/domains/audit/erased-entries.ts";

const row = {
  workspace_id: "w",
  sequence: 4,
  at: "2026-11-21T09:30:00.000Z",
  request_id: "r",
  actor: "a",
  actor_name: null,
  action: "resources.upsert",
  outcome: "done",
  status: 200,
  code: null,
  method: "PUT",
  path: "/v4/data/resources/w/person/by/email/ada%40example.org",
  address: "",
  changes: JSON.stringify({ target: { id: "one" } }),
  digest: "d",
};
const erasure = {
  workspaceId: "w",
  kind: "record",
  ids: ["one"],
  at: "2026-11-22T09:30:00.000Z",
  by: "a",
  isFirst: true,
  isValue: (property: string, value: string) => property === "email" && value === "ada@example.org",
} as const;

test("the value in the path of an upsert is removed, also of a refused one", () => {
  for (const changes of [row.changes, null]) {
    const erased = withoutValues({ ...row, changes }, erasure);
    expect(erased).toMatchObject({
      path: "/v4/data/resources/w/person/by/email/erased",
      digest: "d",
    });
    expect(JSON.parse(erased?.changes ?? "")).toMatchObject({ erased: erasure.at });
  }
});

test("entries of other records, and entries that are erased already, stay as they are", () => {
  const other = { ...row, path: "/v4/data/resources/w/person/by/email/bo", changes: null };
  expect(withoutValues(other, erasure)).toBeUndefined();
  const before = withoutValues(row, erasure) ?? row;
  expect(withoutValues(before, erasure)).toBeUndefined();
});
