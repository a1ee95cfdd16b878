import { expect } from "vitest";
import type { CommandWorld } from "../world.ts";

/** Publishes the type `tree` with a required species, a height, a note and a unique label. */
export async function publishTrees({ platform }: CommandWorld): Promise<void> {
  const properties = {
    species: { type: "string", required: true, indexed: true },
    height: { type: "number", minimum: 0 },
    note: { type: "text" },
    label: { type: "string", unique: true },
  };
  const { status } = await platform
    .as("tenant-admin")
    .post(
      "/v4/data/resources/object-types",
      { name: "Tree", slug: "tree", properties },
      { headers: { "x-tenant-id": platform.workspaces.tenant } },
    );
  expect(status).toBe(201);
}

/** Creates a record and returns its ID. */
export async function plant(
  world: CommandWorld,
  data: Readonly<Record<string, unknown>>,
): Promise<string> {
  const words = ["resources", "create", "tree", "--data", JSON.stringify(data)];
  const { json } = await world.json(words, { as: "tenant-staff" });
  expect(json).toHaveProperty("id");
  return String(new Map(Object.entries(json ?? {})).get("id"));
}
