import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();
const feature = (x: number, id: string) => ({
  type: "Feature",
  id,
  geometry: { type: "Point", coordinates: [x, 1] },
  properties: { name: id },
});

async function fileWith(...features: readonly object[]): Promise<string> {
  const path = join(await temporaryDirectory("features"), "features.geojson");
  await Bun.write(path, JSON.stringify({ type: "FeatureCollection", features }));
  return path;
}

test("import prints how to follow its job, which show waits for", async () => {
  await the().svc(["geo", "datasets", "create", "trees"]);
  const file = await fileWith(feature(1, "oak"), feature(200, "far"));
  const started = await the().svc(["geo", "import", "trees", file]);
  expect(started.exitCode).toBe(0);
  expect(started).toMatchObject({ stderr: expect.stringContaining("Follow it") });
  const [, job = ""] = /svc geo imports show trees (\S+) --wait/.exec(started.stderr) ?? [];
  const shown = await the().svc(["geo", "imports", "show", "trees", job, "--wait"]);
  expect(shown).toMatchObject({ exitCode: 1 });
  expect(shown.stdout).toMatch(/status +failed/);
  expect(shown.stdout).toMatch(/feature 2 \(far\): #\/geometry\/coordinates\/0 /);
  expect(shown.stderr).not.toContain("Follow it");
  const stopped = await the().svc(["geo", "imports", "cancel", "trees", job]);
  expect(stopped.exitCode).toBe(1);
  expect(stopped.stderr).toContain("it has already ended");
});

test("a feature of an import is found by its name", async () => {
  await the().svc(["geo", "datasets", "create", "parks"]);
  const file = await fileWith(feature(2, "Willowmere Green"));
  const waited = await the().svc(["geo", "import", "parks", file, "--wait"]);
  expect(waited.exitCode).toBe(0);
  const found = await the().svc(["geo", "resolve", "wilowmere", "--datasets", "parks"]);
  expect(found.stdout).toMatch(/Willowmere Green +parks .* 1, 2 /);
});
