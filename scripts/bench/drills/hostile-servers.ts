import { attacks } from "../../../test/support/drills/hostile-servers/attacks.ts";
import {
  hostileCommands,
  runHostileCell,
} from "../../../test/support/drills/hostile-servers/cells.ts";
import { executable } from "../../build/executable.ts";
import type { DrillResult } from "./result.ts";

const atOnce = 4;
const fewFaults = 20;

/**
 * Every command that talks to a platform against each kind of wrong answer: it ends, claims no
 * success, sends no write twice and no token elsewhere, and keeps its memory bounded. `rounds`
 * bounds the number of commands.
 */
export async function drillHostileServers(
  directory: string,
  rounds: number,
): Promise<DrillResult[]> {
  const commands = hostileCommands.slice(0, rounds);
  const cells = attacks.flatMap((attack) => commands.map((command) => ({ attack, command })));
  const faults: string[] = [];
  const results = new Map(attacks.map(({ name }) => [name, { acknowledged: 0, cells: 0 }]));
  const waiting = cells.values();
  const work = async (): Promise<void> => {
    for (const { attack, command } of waiting) {
      const outcome = await runHostileCell(command, attack, { executable, directory });
      const result = results.get(attack.name);
      if (result !== undefined) {
        result.cells += 1;
        if (outcome.exitCode === 0) result.acknowledged += 1;
      }
      for (const fault of outcome.faults) {
        faults.push(`svc ${command.words}, ${attack.name}: ${fault}`);
        if (faults.length <= fewFaults) console.error(`  ${faults.at(-1)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (faults.length > 0) {
    throw new Error(`${faults.length} of ${cells.length} cells: ${faults.slice(0, 5).join("; ")}`);
  }
  return [...results].map(([name, result]) => ({
    name: `hostile servers: ${name}`,
    lost: 0,
    ...result,
  }));
}
