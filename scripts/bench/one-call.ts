import { executable } from "../build/executable.ts";
import { besideFirst, besideFirstColumns, type Group } from "./figures.ts";
import type { BenchPlatform } from "./platform.ts";

const roundCount = 30;

/** One request as a script makes it: a process for each call, with curl as the baseline. */
export function oneCall(platform: BenchPlatform): Group {
  return {
    name: `one call from a script, ${roundCount} rounds`,
    columns: besideFirstColumns,
    async measure() {
      const { running, token, tenantId, objectType, ids, home, env } = platform;
      const id = ids[0] ?? "";
      const path = `/v4/data/resources/${tenantId}/${objectType}/${id}`;
      const commands: readonly { name: string; command: readonly string[] }[] = [
        {
          name: "curl",
          command: [
            "curl",
            "-sSf",
            "-H",
            `authorization: Bearer ${token}`,
            `${running.url}${path}`,
          ],
        },
        { name: "svc publicapi get", command: [executable, "publicapi", "get", path] },
        {
          name: "svc resources get",
          command: [executable, "resources", "get", objectType, id, "--format=json"],
        },
        {
          name: "svc resources list",
          command: [executable, "resources", "list", objectType, "--limit=20", "--format=json"],
        },
      ];
      const usable = commands.filter(({ command }) => Bun.which(command[0] ?? "") !== null);
      const values = new Map<string, number[]>(usable.map(({ name }) => [name, []]));
      for (let round = -2; round < roundCount; round += 1) {
        for (const { name, command } of usable) {
          const startedAt = performance.now();
          const child = Bun.spawn([...command], {
            cwd: home,
            env,
            stdio: ["ignore", "pipe", "pipe"],
          });
          const exitCode = await child.exited;
          if (round >= 0) values.get(name)?.push(performance.now() - startedAt);
          if (exitCode !== 0) throw new Error(`${name}: ${await child.stderr.text()}`);
        }
      }
      return besideFirst([...values].map(([name, samples]) => ({ name, values: samples })));
    },
  };
}
