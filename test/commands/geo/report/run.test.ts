import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../../world.ts";

const the = commandWorld();

test("a report of a dataset is shown, changed and saved as CSV and GeoJSON", async () => {
  const point = (x: number) => JSON.stringify({ type: "Point", coordinates: [x, 5] });
  await the().json(["geo", "datasets", "create", "trees"]);
  for (const x of [1, 2, 15]) {
    const properties = JSON.stringify({ height: x });
    const words = ["geo", "features", "create", "trees", "--geometry", point(x)];
    await the().json([...words, "--properties", properties]);
  }
  const report = ["geo", "report"];
  const made = ["create", "by-cell", "--dataset", "trees", "--degrees", "10", "--sum", "height"];
  await the().json([...report, ...made]);
  const { stdout } = await the().svc([...report, "run", "by-cell"]);
  expect(stdout).toMatch(/0,0 +2 +3\n10,0 +1 +15\n/);
  expect(stdout).toContain("3 of 3 items are in a row");
  const folder = await temporaryDirectory();
  for (const form of ["csv", "geojson"]) {
    const path = join(folder, `report.${form}`);
    await the().json([...report, "run", "by-cell", "--as", form, "--output", path]);
    const text = await readFile(path, "utf8");
    if (form === "csv") expect(text).toBe('key,count,sum\r\n"0,0",2,3\r\n"10,0",1,15\r\n');
    else expect(JSON.parse(text)).toMatchObject({ type: "FeatureCollection", placed: 3 });
  }
  await the().json([...report, "update", "by-cell", "--nearest", "1", "--at", "2,5"]);
  const nearest = await the().svc([...report, "run", "by-cell"]);
  expect(nearest.exitCode).toBe(0);
  expect(nearest.stdout).toContain('{"height":2}');
});

test("a report without a source or with half of --as is refused before any request", async () => {
  const half = await the().svc(["geo", "report", "run", "x", "--as", "csv"]);
  expect(half.exitCode).toBe(2);
  const none = await the().svc(["geo", "report", "create", "x", "--degrees", "1"]);
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain("--dataset");
});
