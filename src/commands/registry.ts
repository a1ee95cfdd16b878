import type { CommandTable } from "#cli/command.ts";
import { commandFacts } from "./facts.ts";

/** All commands as plain data. The build computes it once: scripts/build/computed-modules.ts. */
export const commandTable: CommandTable = await commandFacts();
