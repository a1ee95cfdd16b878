import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import { commandWorld, platformDown, runCommand } from "../../world.ts";

const the = commandWorld();

beforeAll(async () => {
  const { platform } = the();
  const headers = { "x-tenant-id": platform.workspaces.tenant };
  for (const slug of ["bench", "lamp"]) {
    const type = {
      name: slug === "bench" ? "Bench" : "Lamp",
      slug,
      properties: { place: { type: "string", indexed: true } },
    };
    const path = "/v4/data/resources/object-types";
    expect((await platform.as("tenant-builder").post(path, type, { headers })).status).toBe(201);
  }
});

describe("storage commands", () => {
  test("status shows each backend and its provider", async () => {
    const { exitCode, stdout } = await the().svc("resources storage status");
    expect(exitCode).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ["BACKEND", "PROVIDER", "STATUS"],
      ["postgresql", "sqlite", "ok"],
      ["documentdb", "sqlite", "ok"],
      ["blob", "disk", "ok"],
      ["search", "sqlite-fts5", "ok"],
      [""],
    ]);
  });

  test("sync-schema and provision report their results for the normalised backend", async () => {
    const synced = await the().json("resources sync-schema --backend mongodb --dry-run");
    expect(synced).toMatchObject({
      exitCode: 0,
      json: {
        dryRun: true,
        results: [
          { backend: "documentdb", objectType: "bench", state: "already_applied" },
          { backend: "documentdb", objectType: "lamp", state: "already_applied" },
        ],
      },
    });
    const bodies: unknown[] = [];
    const watched = await the().json(
      "provision storage --backend mongodb --dry-run --rebuild-search",
      {
        fetch: async (request) => {
          bodies.push(await request.clone().json());
          return the().platform.platform.fetch(request);
        },
      },
    );
    expect(watched).toMatchObject({ exitCode: 0, json: { results: [{ state: "skipped" }] } });
    expect(bodies).toEqual([{ backend: "documentdb", dryRun: true, rebuildSearch: true }]);
    const all = await the().svc("provision storage");
    expect(all.stdout).toMatch(/^blob +provisioned/m);
    const wrong = await the().svc("resources sync-schema --backend tape");
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("postgresql, mongodb, documentdb, blob, search, all");
  });

  test.each([
    ["resources sync-schema", "failed"],
    ["resources sync-schema", "half_done"],
    ["provision storage", "failed"],
    ["provision storage", "half_done"],
  ])("%s with a result that is %s exits with 1", async (words, state) => {
    const results = [
      { backend: "postgresql", objectType: "bench", state: "applied", actions: [] },
      { backend: "postgresql", objectType: "lamp", state },
    ];
    const { exitCode, stdout, stderr } = await the().svc(words, {
      fetch: () => Promise.resolve(Response.json({ results })),
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `Not done: lamp is ${state}\nHelp: \`svc ${words} --help\`\n`,
    });
    expect(stdout).toMatch(new RegExp(`^postgresql +lamp +${state}$`, "m"));
  });

  test("indexes-plan accepts several slugs after one option", async () => {
    const { json } = await the().json("resources indexes-plan --object-type bench lamp");
    expect(json).toMatchObject({
      dryRun: true,
      objectTypes: [
        { objectType: "bench", indexes: [{ property: "place", state: "ready" }], missing: [] },
        { objectType: "lamp" },
      ],
    });
    const twice = await the().svc("resources indexes-plan --object-type bench --object-type lamp");
    expect(twice.stdout).toMatch(/^lamp +place +ready/m);
    const unknown = await the().json("resources indexes-plan --object-type nothing");
    expect(unknown).toMatchObject({
      exitCode: 1,
      json: { error: { errors: [{ pointer: "#/objectTypes/0" }] } },
    });
  });

  test("indexes-plan keeps its limits before any network call", async () => {
    const plan = (slugs: readonly string[]) =>
      runCommand(["resources", "indexes-plan", "--object-type", ...slugs], {
        fetch: platformDown,
      });
    const long = await plan(["x".repeat(256)]);
    expect(long.exitCode).toBe(2);
    expect(long.stderr).toContain("--object-type takes 1 to 255 characters");
    const many = await plan(Array.from({ length: 1_001 }, () => "bench"));
    expect(many.exitCode).toBe(2);
    expect(many.stderr).toContain("more than 1000 times");
    const none = await runCommand(["resources", "indexes-plan"], { fetch: platformDown });
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain("E303");
  });

  test("doctor and verify storage exit with 0, or with 1 and the repair", async () => {
    for (const words of ["resources doctor", "resources storage doctor", "verify storage"]) {
      expect(await the().json(words)).toMatchObject({ exitCode: 0, json: { ok: true } });
    }
    const { platform } = the();
    await uploaded(platform, await makeContext(platform), "A letter about a lamp.");
    await rm(join(platform.dataDirectory, "blobs", platform.workspaces.tenant), {
      recursive: true,
    });
    for (const words of ["resources doctor", "resources storage doctor"]) {
      const shown = await the().svc(words);
      expect(shown.exitCode).toBe(1);
      expect(shown.stdout).toContain("✗ blob-missing (1)\n");
      expect(shown.stdout).toContain("  Put the files back from a backup");
      expect(shown.stderr).toBe(`1 finding\nHelp: \`svc ${words} --help\`\n`);
    }
    const verified = await the().json("verify storage");
    expect(verified).toMatchObject({
      exitCode: 1,
      json: { ok: false, diagnosis: { findings: [{ code: "blob-missing", count: 1 }] } },
    });
    const denied = await the().json("verify storage", { as: "tenant-viewer" });
    expect(denied).toMatchObject({ exitCode: 1, json: { error: { code: "E204", status: 403 } } });
  });
});
