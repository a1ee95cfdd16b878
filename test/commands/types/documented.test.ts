import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { propertyDefinition } from "#contract/object-types/properties.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";

/** Tests the examples of docs/object-types.md. */

const the = commandWorld();
let page = "";

beforeAll(async () => {
  page = await Bun.file(join(import.meta.dirname, "../../../docs/object-types.md")).text();
});

test("the example is valid, can be published, and accepts the example's record", async () => {
  const currentDirectory = await temporaryDirectory("project");
  const example = /```ts\n(.*?)```/s.exec(page)?.[1] ?? "";
  await Bun.write(join(currentDirectory, "src/eai.config/object-types.ts"), example);
  const seeded = await the().json("types seed", { currentDirectory });
  expect(seeded).toMatchObject({ exitCode: 0, json: { results: [{ slug: "tree" }] } });
  const data = /resources create tree --data '(.*)'/.exec(page)?.[1] ?? "";
  const created = await the().json(["resources", "create", "tree", "--data", data]);
  expect(created).toMatchObject({ exitCode: 0, json: { data: JSON.parse(data) } });
});

const schema = z.object({
  $defs: z.object({
    PropertyDefinition: z.object({
      properties: z.record(z.string(), z.object({ enum: z.array(z.string()).optional() })),
    }),
  }),
});

test("every type and keyword of a property is explained", () => {
  const described = schema.parse(z.toJSONSchema(propertyDefinition, { io: "input" }));
  const { properties } = described.$defs.PropertyDefinition;
  const types = properties["type"]?.enum ?? [];
  expect(types).toContain("geopoint");
  const missing = [...types, ...Object.keys(properties)].filter(
    (name) => !page.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});
