import { expect, test } from "vitest";
import { entered } from "#server/http/workspace.ts";

const held = { role: "tenant-staff", name: "Clerk", permissions: undefined } as const;

function enter(access: string, role: object | undefined, pathValues: readonly string[] = []) {
  const route = { definition: { access }, id: "records.update", changedTypeParameter: 0 };
  const exchange = { route, pathValues, workspace: undefined };
  return () => entered(exchange as never, "w", role as never);
}

test("a role that is high enough enters, and a stranger finds no workspace", () => {
  expect(enter("tenant-staff", held)()).toEqual({ id: "w", ...held });
  expect(enter("signed-in", held)()).toMatchObject({ id: "w" });
  expect(enter("tenant-viewer", undefined)).toThrow(expect.objectContaining({ code: "not-found" }));
  expect(enter("tenant-admin", held)).toThrow(
    expect.objectContaining({ code: "permission-denied" }),
  );
});

test("a defined role enters the routes of its permissions only", () => {
  const may = { ...held, permissions: new Set(["records.update"]) };
  expect(enter("tenant-admin", may)()).toMatchObject({ id: "w" });
  expect(enter("tenant-viewer", { ...may, permissions: new Set() })).toThrow(
    expect.objectContaining({
      options: expect.objectContaining({
        members: expect.objectContaining({ permission: "records.update" }),
      }),
    }),
  );
});
