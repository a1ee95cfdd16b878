/** `npm run docs`: writes the reference, which the platform also serves, to dist/docs. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { commandTable } from "#commands/registry.ts";
import { loadSchemas } from "#commands/run.ts";
import { documentation } from "#commands/kit/site/documentation.ts";
import { repository } from "./build/executable.ts";

const folder = join(repository, "dist", "docs");
const site = await documentation({
  table: () => Promise.resolve(commandTable),
  schemas: loadSchemas,
});
await rm(folder, { recursive: true, force: true });
await Promise.all([...site].map(([path, { text }]) => Bun.write(join(folder, path), text)));
console.log(`svc: wrote ${site.size} files to ${folder}`);
