import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { otherPlaces } from "../../../deployments.ts";
import { commandWorld } from "../../../world.ts";

const the = commandWorld();
const start = otherPlaces();

async function place(properties: "map" | "list" | "missing" = "map") {
  const dialect = dialects.find((each) => each.properties === properties);
  if (dialect === undefined) throw new Error("no dialect");
  const own = await start(dialect);
  const folder = await temporaryDirectory("archive");
  return { ...own, folder, path: join(folder, "other.svcarchive") };
}

describe("an archive of a platform that makes none", () => {
  test("names the values of properties that its platform does not name", async () => {
    const { run, path } = await place("missing");
    const saved = await run(["workspace", "export", "--output", path, "--format", "json"]);
    const reason = "5 values of a property that its type does not name";
    expect(saved, saved.stdout).toMatchObject({ exitCode: 1 });
    expect(field(saved.json, "leftOut")).toContainEqual({ part: "street-tree.species", reason });
  });

  test.each(["map", "list"] as const)("is imported with equal values: %s", async (form) => {
    const { run, deployment, path } = await place(form);
    const saved = await run(["workspace", "export", "--output", path, "--format", "json"]);
    const leftOut = field(saved.json, "leftOut");
    const parts = (Array.isArray(leftOut) ? leftOut : []).map(({ part }) => part);
    // The deployment names no properties of one type.
    const isKnown = /^tenant-vertical-enrollment\./;
    expect(parts.filter((part) => !isKnown.test(part))).toEqual([]);
    const same = await run(["workspace", "compare", path, deployment.workspace.slug]);
    expect(same, same.stdout).toMatchObject({ exitCode: 0 });
    const { platform } = the();
    const body = { displayName: form, slug: `from-${form}`, homeRegion: "eu" };
    const made = await platform.as("system-admin").post("/v4/platform/tenants", body);
    const to = String(field(made.json, "id"));
    const words = ["workspace", "import", path, "--workspace", to];
    const imported = await the().json(words, { as: "system-admin" });
    expect(imported, imported.stdout).toMatchObject({ exitCode: 0, json: { status: "succeeded" } });
    const list = `/v4/data/resources/${to}/street-tree?limit=500`;
    const { json } = await platform.as("system-admin").get(list);
    const items = field(json, "items");
    const trees = [...(deployment.workspace.records.get("street-tree")?.values() ?? [])];
    expect(trees.length).toBeGreaterThan(0);
    expect(speciesOf(items)).toEqual(speciesOf(trees));
  });

  test.each([
    ["a page that never comes", 500, 3],
    ["a page that is refused", 403, 3],
  ])("%s leaves no file", async (_name, status, after) => {
    const { run, folder, path, fetch: network } = await place();
    let left = after;
    const called = await run(["workspace", "export", "--output", path], {
      fetch: (request) => {
        const isList = /\/street-tree\?/.test(request.url) && (left -= 1) < after;
        return isList ? Promise.resolve(new Response("no", { status })) : network(request);
      },
    });
    expect(called.exitCode, called.stdout).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  test("names the groups that its routes do not reach", async () => {
    const { run, path } = await place();
    const called = await run(["workspace", "export", "--output", path, "--groups", "types,audit"]);
    expect(called.exitCode).toBe(2);
    expect(called.stderr).toContain("its public routes do not reach audit");
  });
});

function speciesOf(records: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(records) ? records : [];
  return list.map((record) => String(field(field(record, "data"), "species"))).toSorted();
}
