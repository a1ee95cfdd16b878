import { join } from "node:path";
import { startPlatformProcess } from "#test/support/platform-process.ts";
import { finished } from "../build/finished.ts";
import { programOf } from "../tools.ts";
import type { Counterpart } from "./counterpart.ts";

/** The metrics of a platform, read by Prometheus' own parser and its rules for names. */
export const prometheus: Counterpart = {
  name: "prometheus",
  about: "the text of GET /metrics, checked by promtool",
  tools: [programOf("promtool", "prometheus")],
  async run({ directory, executable }) {
    await using platform = await startPlatformProcess({
      executable,
      dataDir: join(directory, "data"),
      home: directory,
      args: ["--demo"],
    });
    const headers = { authorization: `Bearer ${await platform.token()}` };
    await fetch(`${platform.url}/v4/identity/me`, { headers });
    const text = await (await fetch(`${platform.url}/metrics`, { headers })).text();
    const child = Bun.spawn(["promtool", "check", "metrics"], {
      stdin: new Blob([text]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const { stdout, stderr, exitCode } = await finished(child);
    const series = text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;
    const failures = exitCode === 0 ? [] : [`promtool refuses the text: ${stdout}${stderr}`.trim()];
    const rows = [{ name: "sample data", figures: [`${series}`, `${failures.length}`] }];
    return [{ name: "prometheus", columns: ["series", "refused"], rows, failures }];
  },
};
