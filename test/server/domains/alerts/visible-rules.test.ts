import { expect, test } from "vitest";
import { describePlatform, field, type TestUser } from "#test/support/platform.ts";

const rulesPath = "/v4/realtime/alert-rules";
const slug = "guarded";

describePlatform("an alert rule about a hidden property", (the) => {
  test("exists only for builders who may read it", async () => {
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const admin = the().as("tenant-admin");
    const secret = { type: "string", indexed: true, readRoles: ["tenant-admin"] };
    const type = { name: "Guarded", slug, properties: { secret } };
    const typed = await admin.post("/v4/data/resources/object-types", type, { headers });
    expect(typed.status).toBe(201);
    const rule = async (where?: object) => {
      const watched = { name: slug, kind: "event", types: [slug], role: "tenant-admin" };
      const made = await admin.post(rulesPath, { ...watched, where }, { headers });
      expect(made.status).toBe(201);
      return String(field(made.json, "id"));
    };
    const [open, closed] = [await rule(), await rule({ secret: "yes" })];
    const seen = async (user: TestUser) => {
      const { json, text } = await the()
        .as(user)
        .get(`${rulesPath}?limit=500&count=true`, { headers });
      expect(Object.values(Object(field(json, "items")))).toHaveLength(
        Number(field(json, "total")),
      );
      return [open, closed].map((id) => text.includes(id));
    };
    expect(await seen("tenant-builder")).toEqual([true, false]);
    expect(await seen("tenant-admin")).toEqual([true, true]);
    const builder = the().as("tenant-builder");
    const path = `${rulesPath}/${closed}`;
    const answers = [
      await builder.get(path, { headers }),
      await builder.patch(path, { enabled: false }, { headers }),
      await builder.delete(path, { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await admin.delete(path, { headers })).status).toBe(200);
  });
});
