import { describe, expect, test } from "vitest";
import { commandWorld } from "../world.ts";

const the = commandWorld();

describe("workspace info", () => {
  test("takes a slug or an ID", async () => {
    const { tenant } = the().platform.workspaces;
    const bySlug = await the().json("workspace info tenant");
    const byId = await the().json(["workspace", "info", tenant.toUpperCase()]);
    expect(bySlug.json).toMatchObject({ id: tenant, role: "tenant-admin", parentId: null });
    expect(byId.json).toEqual(bySlug.json);
    const text = await the().svc("workspace info tenant");
    expect(text.stdout.split("\n").slice(0, 2)).toEqual([
      `id           ${tenant}`,
      "slug         tenant",
    ]);
  });

  test("another user's workspace is not found", async () => {
    const { exitCode, json } = await the().json("workspace info other");
    expect(exitCode).toBe(1);
    expect(json).toEqual({
      error: {
        code: "E202",
        message: 'Workspace "other" not found',
        suggestion: "Verify the ID or name",
        exitCode: 1,
      },
    });
  });
});
