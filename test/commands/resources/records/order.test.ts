import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld } from "../../world.ts";

const the = commandWorld();

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const admin = the().platform.as("tenant-admin");
  const properties = { name: { type: "string" }, place: { type: "geopoint" } };
  const type = { name: "Pump", slug: "pump", properties };
  const headers = { "x-tenant-id": tenant };
  await admin.post("/v4/data/resources/object-types", type, { headers });
  const pumps = [
    ["far", 2],
    ["close", 1],
    ["middle", 1.5],
  ] as const;
  for (const [name, longitude] of pumps) {
    const place = { type: "Point", coordinates: [longitude, 50] };
    await admin.post(`/v4/data/resources/${tenant}/pump`, { name, place });
  }
});

describe("records near a place", () => {
  const near = { $geometry: { type: "Point", coordinates: [1, 50] }, $maxDistance: 1e6 };

  async function names(words: readonly string[]): Promise<unknown[]> {
    const { exitCode, stdout } = await the().svc([...words, "--format", "json"]);
    expect(exitCode).toBe(0);
    const items = field(JSON.parse(stdout), "items");
    if (!Array.isArray(items)) throw new Error(`there are no items: ${stdout}`);
    return items.map((item) => field(field(item, "data"), "name"));
  }

  test("come the nearest first, unless --sort is given", async () => {
    for (const where of [{ place: { $near: near } }, { $and: [{ place: { $near: near } }] }]) {
      const filter = ["--where", JSON.stringify(where)];
      const nearest = ["close", "middle", "far"];
      expect(await names(["resources", "list", "pump", ...filter])).toEqual(nearest);
      const query = ["resources", "query", "--types", "pump", ...filter];
      expect(await names(query)).toEqual(nearest);
      expect(await names([...query, "--sort", "name"])).toEqual(["close", "far", "middle"]);
    }
    const plain = ["resources", "list", "pump", "--where", '{"name":{"$ne":"x"}}'];
    expect(await names(plain)).toEqual(["middle", "close", "far"]);
  });
});
