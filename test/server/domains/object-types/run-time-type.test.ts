import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";

const path = "/v4/data/resources/object-types";

describePlatform("Object Types at run time", (the) => {
  test("name each target by its exact slug, and can be written back as they were read", async () => {
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
    const listed = typeIn(await outsider.get(`${path}?limit=500`, { headers }), "items");
    expect(listed).toMatchObject({
      linkTypes: [{ ...linkTypes[0], target_type: "run-time-house" }],
      properties: { home: target, homes: { items: target }, place: { properties: { at: target } } },
      version: 1,
    });
    const place = `${path}/${String(field(listed, "id"))}`;
    const again = {
      properties: field(listed, "properties"),
      linkTypes: field(listed, "linkTypes"),
    };
    const written = await outsider.patch(place, again, { headers });
    expect(written.json).toMatchObject({ ...definition, version: 1 });
    expect(written.text).not.toContain("target_type");
    const other = { properties: { home: { ...house, target_type: "another" } } };
    const refused = await outsider.patch(place, other, { headers });
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({
      errors: [
        {
          pointer: "#/properties/home/target_type",
          detail: "must be the slug in targetObjectType",
        },
      ],
    });
  });
});
