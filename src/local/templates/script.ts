import { ignoreFile, managedFiles, objectTypesFile, packageFile } from "./base-files.ts";
import { documentFiles } from "./document-files.ts";
import type { ProjectTemplate } from "./template.ts";

const main = `import { createClient } from "svc";
import { report } from "./report.mjs";

const { BASE_URL_PUBLIC_API = "http://127.0.0.1:4400", SVC_TOKEN = "" } = process.env;
if (SVC_TOKEN === "") {
  console.error("Set SVC_TOKEN: \`svc serve token\` prints one");
  process.exit(4);
}
const client = createClient({ baseUrl: BASE_URL_PUBLIC_API, token: SVC_TOKEN });
for await (const line of report(client)) console.log(line);
`;

const report = `/** One line for each Object Type of each workspace. */
export async function* report(client) {
  const { items } = await client.identity.tenants();
  for (const { id, slug } of items) {
    const types = await client.forTenant(id).objectTypes.list();
    for (const type of types.items) yield \`\${slug}\\t\${type.slug}\`;
  }
}
`;

const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "svc";
import { report } from "../report.mjs";

test("reports each Object Type of each workspace", async () => {
  const workspace = "01890000-0000-7000-8000-000000000000";
  const fetch = async (request) =>
    Response.json({
      items: request.url.includes("object-types")
        ? [{ id: "t", name: "Task", slug: "task", properties: {} }]
        : [{ id: workspace, slug: "planning" }],
    });
  const client = createClient({ baseUrl: "http://platform.test", token: "t", fetch });
  const lines = [];
  for await (const line of report(client)) lines.push(line);
  assert.deepEqual(lines, ["planning\\ttask"]);
});
`;

const build = `// A script runs as it is: the build copies what a machine needs to dist/.
import { cp, rm } from "node:fs/promises";

await rm("dist", { recursive: true, force: true });
for (const path of ["main.mjs", "report.mjs", "package.json", "vendor"]) {
  await cp(path, \`dist/\${path}\`, { recursive: true });
}
console.log("built dist/");
`;

export const script: ProjectTemplate = {
  name: "script",
  summary: "A script on the client library, for scheduled work",
  files: (facts) => [
    packageFile(facts, {
      dev: "node --watch main.mjs",
      build: "node build.mjs",
      test: "node --test",
      start: "node main.mjs",
    }),
    ignoreFile,
    objectTypesFile,
    ...documentFiles,
    {
      path: "README.md",
      kind: "own",
      text: `# ${facts.name}\n\nA script on the v4 platform.\n\n\`\`\`sh\nnpm install\nnpm test\nSVC_TOKEN=… npm start\n\`\`\`\n`,
    },
    { path: "main.mjs", kind: "own", text: main },
    { path: "report.mjs", kind: "own", text: report },
    { path: "build.mjs", kind: "managed", text: build },
    { path: "test/report.test.mjs", kind: "own", text: test },
    ...managedFiles(facts),
  ],
};
