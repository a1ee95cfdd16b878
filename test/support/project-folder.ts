import { join } from "node:path";

const manifest = [
  {
    name: "Tree",
    slug: "street-tree",
    properties: {
      species: { type: "string" },
      label: { type: "string", unique: true },
      height: { type: "number" },
      plan: { type: "file" },
    },
    linkTypes: [{ name: "permits", targetObjectType: "felling-permit" }],
    actions: [{ name: "inspect", set: { height: 4 } }],
  },
  { name: "Bench", slug: "bench", properties: { label: { type: "string" } } },
  { name: "Permit", slug: "felling-permit", properties: { applicant: { type: "string" } } },
];

/** The Object Types of the project that {@link fillProject} writes. */
export const projectTypes: readonly (typeof manifest)[number][] = manifest;

/** Makes a folder a project with Object Types, a file to upload, and what commands read. */
export async function fillProject(folder: string): Promise<void> {
  await Bun.write(join(folder, "plan.txt"), "An elm stands by the pier.\n");
  await Bun.write(join(folder, "letters/reply.txt"), "The pier is closed.\n");
  const change = { op: "upsert", property: "label", value: "T-1", data: { species: "fir" } };
  await Bun.write(join(folder, "changes.ndjson"), `${JSON.stringify(change)}\n`);
  await Bun.write(join(folder, "trees.csv"), "species,height\nash,4\n");
  await Bun.write(join(folder, "manifest.json"), JSON.stringify({ version: 1 }));
  await Bun.write(join(folder, "plan.json"), JSON.stringify({ digest: "0".repeat(64) }));
  const type = {
    documentType: { key: "wood", displayName: "Wood" },
    fields: [{ name: "tree", rules: [{ method: "label-value", labels: ["Tree"] }] }],
  };
  await Bun.write(join(folder, "type.json"), JSON.stringify(type));
  const classifier = {
    displayName: "Wood",
    labels: [{ key: "oak" }, { key: "elm" }],
    examples: [{ label: "oak", text: "An oak stands." }],
  };
  await Bun.write(join(folder, "classifier.json"), JSON.stringify(classifier));
  await Bun.write(join(folder, "src/eai.config/object-types.json"), JSON.stringify(manifest));
}
