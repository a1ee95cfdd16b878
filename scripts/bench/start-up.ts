import { join } from "node:path";
import { compile, executable } from "../build/executable.ts";
import { userEnvironment } from "../../test/support/environment.ts";
import { besideFirst, besideFirstColumns, type Group } from "./figures.ts";

const roundCount = 40;
const warmUpCount = 3;

/** Times from spawn to exit, interleaved, so that a busy moment of the machine hits all alike. */
export function startUp(directory: string): Group {
  return {
    name: `start-up, spawn to exit, ${roundCount} rounds`,
    columns: besideFirstColumns,
    async measure() {
      const empty = join(directory, "empty");
      await compile("scripts/bench/empty.ts", empty);
      const commands: readonly { name: string; command: readonly string[] }[] = [
        { name: "empty Bun program", command: [empty] },
        { name: "svc --version", command: [executable, "--version"] },
        { name: "svc --help", command: [executable, "--help"] },
        { name: "svc docs upload --help", command: [executable, "docs", "upload", "--help"] },
        { name: "svc errors --format json", command: [executable, "errors", "--format", "json"] },
      ];
      const values = new Map<string, number[]>(commands.map(({ name }) => [name, []]));
      for (let round = -warmUpCount; round < roundCount; round += 1) {
        for (const { name, command } of commands) {
          const elapsedMs = await timeRun(command, directory);
          if (round >= 0) values.get(name)?.push(elapsedMs);
        }
      }
      return besideFirst([...values].map(([name, samples]) => ({ name, values: samples })));
    },
  };
}

async function timeRun(command: readonly string[], home: string): Promise<number> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: home,
    env: userEnvironment(home),
    stdio: ["ignore", "ignore", "ignore"],
  });
  const exitCode = await child.exited;
  const elapsedMs = performance.now() - startedAt;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with exit code ${exitCode}`);
  return elapsedMs;
}
