/** `npm run reference`: writes docs/commands.md from the command table. */
import { join } from "node:path";
import { referencePage } from "#cli/reference.ts";
import { commandTable } from "#commands/registry.ts";
import { repository } from "./build/executable.ts";

const page = join(repository, "docs", "commands.md");
await Bun.write(page, referencePage(commandTable));
console.log(`svc: wrote ${page}`);
