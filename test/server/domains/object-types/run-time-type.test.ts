import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";

const path = "/v4/data/resources/object-types";

describePlatform("the schema route", (the) => {
  test("shows each target at run time by its exact slug, and keeps definitions as they are", async () => {
    const tenant = the().workspaces.other;
    const headers = { "x-tenant-id": tenant };
    const outsider = the().as("outsider");
    const house = { type: "reference", targetObjectType: "run-time-house" };
    const linkTypes = [{ name: "peer", targetObjectType: "run-time-house", cardinality: "one" }];
    const properties = {
      home: house,
      homes: { type: "array", items: house },
      place: { type: "object", properties: { at: house } },
    };
    const definition = { name: "RunTimeHouse", slug: "run-time-house", properties, linkTypes };
    expect((await outsider.post(path, definition, { headers })).status).toBe(201);
    const typeIn = ({ json }: { readonly json: unknown }, list: string): unknown =>
      (field(json, list) as { slug: string }[]).find(({ slug }) => slug === definition.slug);
    const schema = await outsider.get(`/v4/data/resources/schema/${tenant}`);
    const target = { ...house, target_type: "run-time-house" };
    expect(typeIn(schema, "objectTypes")).toMatchObject({
      linkTypes: [{ ...linkTypes[0], target_type: "run-time-house" }],
      properties: { home: target, homes: { items: target }, place: { properties: { at: target } } },
    });
    const stored = typeIn(await outsider.get(`${path}?limit=500`, { headers }), "items");
    expect(stored).toMatchObject(definition);
    expect(JSON.stringify(stored)).not.toContain("target_type");
  });
});
