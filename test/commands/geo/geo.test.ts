import { beforeAll, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  const properties = { address: { type: "string", searchable: true }, at: { type: "geopoint" } };
  const { platform } = the();
  const site = { name: "Site", slug: "site", properties };
  const headers = { "x-tenant-id": platform.workspaces.tenant };
  await platform.as("tenant-builder").post("/v4/data/resources/object-types", site, { headers });
  for (const [address, coordinates] of [
    ["18 Quay Street, Newcastle", [-1.6, 54.97]],
    ["3 Quay Street, London", [-0.12, 51.5]],
    ["Quay Street without a point", undefined],
  ] as const) {
    const at = coordinates === undefined ? {} : { at: { type: "Point", coordinates } };
    const data = JSON.stringify({ address, ...at });
    await the().json(["resources", "create", "site", "--data", data]);
  }
});

test("resolve lists records before places, with the areas around them", async () => {
  const { stdout, exitCode } = await the().svc(["geo", "resolve", "quay street newcastle"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/18 Quay Street, Newcastle +site .* 54\.97, -1\.6 +1\.00/);
  const place = await the().svc(["geo", "resolve", "Newcastle, NSW", "--datasets", "gazetteer"]);
  expect(place.stdout).toMatch(/Newcastle +place +New South Wales, Australia +-32\.9\d*, 151\.7/);
});

test("reverse lists what is at a point, with distances", async () => {
  const { stdout } = await the().svc(["geo", "reverse", "-1.6001,54.97", "--limit", "2"]);
  expect(stdout).toMatch(/18 Quay Street, Newcastle +site +Newcastle upon Tyne, England/);
  expect(stdout).toMatch(/ 6 m /);
});

test.each(["55", "1,2,3", "200,0", "0,91", "a,b"])("the point %s is refused", async (point) => {
  const { exitCode, stderr } = await the().svc(["geo", "reverse", point]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("is not a point");
});

test("map draws the records without colour, and counts those without a point", async () => {
  const words = ["geo", "map", "site", "--width", "30"];
  const { stdout } = await the().svc(words);
  expect(stdout).not.toContain("\u001b");
  expect(stdout.match(/o/g)?.length).toBeGreaterThanOrEqual(2);
  expect(stdout).toContain("2 points of 3 records, from ");
  const { json } = await the().json(words);
  expect(field(json, "places")).toHaveLength(2);
  expect(json).toMatchObject({ records: 3, hasMore: false });
});
