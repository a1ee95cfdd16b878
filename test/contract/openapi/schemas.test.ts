import { expect, test } from "vitest";
import * as z from "zod";
import { JsonSchemas } from "#contract/openapi/schemas.ts";

const child = z.object({ size: z.int().default(1) }).meta({ id: "Child" });
const parent = z.object({ child }).meta({ id: "Parent" });

test("a request's schema that differs has its own name, also by a reference", () => {
  const schemas = new JsonSchemas();
  const document = {
    body: schemas.input(parent),
    reply: schemas.output(parent),
    unused: schemas.inline(z.object({ name: z.string().optional() })),
    components: { kept: true },
  };
  const resolved = schemas.resolve(document);
  expect(resolved.body).toEqual({ $ref: "#/components/schemas/ParentInput" });
  expect(resolved.reply).toEqual({ $ref: "#/components/schemas/Parent" });
  const components: unknown = resolved.components;
  const { kept, schemas: named } = components as {
    kept: boolean;
    schemas: Record<string, { properties: Record<string, unknown> }>;
  };
  expect(kept).toBe(true);
  expect(Object.keys(named)).toEqual(
    expect.arrayContaining(["Child", "ChildInput", "Parent", "ParentInput"]),
  );
  expect(named["ParentInput"]?.properties["child"]).toEqual({
    $ref: "#/components/schemas/ChildInput",
  });
  expect(JSON.stringify(resolved)).not.toContain("9007199254740991");
});
