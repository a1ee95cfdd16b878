import { mkdirSync, writeFileSync } from "node:fs";
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

const change = { op: "upsert", property: "label", value: "T-1", data: { species: "fir" } };
const documentType = {
  documentType: { key: "wood", displayName: "Wood" },
  fields: [{ name: "tree", rules: [{ method: "label-value", labels: ["Tree"] }] }],
};
const classifier = {
  displayName: "Wood",
  labels: [{ key: "oak" }, { key: "elm" }],
  examples: [{ label: "oak", text: "An oak stands." }],
};

const projectFiles: readonly (readonly [name: string, text: string])[] = [
  ["plan.txt", "An elm stands by the pier.\n"],
  ["letters/reply.txt", "The pier is closed.\n"],
  ["changes.ndjson", `${JSON.stringify(change)}\n`],
  ["trees.csv", "species,height\nash,4\n"],
  ["manifest.json", JSON.stringify({ version: 1 })],
  ["plan.json", JSON.stringify({ digest: "0".repeat(64) })],
  ["type.json", JSON.stringify(documentType)],
  ["classifier.json", JSON.stringify(classifier)],
  ["src/eai.config/object-types.json", JSON.stringify(manifest)],
];

/**
 * Makes a folder a project with Object Types, a file to upload, and what commands read. A run makes
 * thousands of them, and a wait for each file takes longer than its few bytes.
 */
export function fillProject(folder: string): void {
  for (const name of ["letters", "src/eai.config"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  for (const [name, text] of projectFiles) writeFileSync(join(folder, name), text);
}
