import { join } from "node:path";
import { openTerminal } from "../../test/support/tty.ts";
import { compile, executable } from "../build/executable.ts";
import type { DashboardUser } from "./dashboard/programs.ts";
import { mebibytes, type Group, type Row } from "./figures.ts";
import type { BenchPlatform } from "./platform.ts";
import { peakBytes, residentBytes } from "#test/support/process-use.ts";

/** Resident memory of what stays: an empty program, the dashboard, the platform. */
export function memory(directory: string, user: DashboardUser, platform: BenchPlatform): Group {
  return {
    name: "memory",
    columns: ["resident", "peak"],
    async measure() {
      const echo = join(directory, "echo");
      await compile("scripts/bench/echo.ts", echo);
      return [
        await inTerminal("empty Bun program", echo, user),
        await inTerminal("svc, dashboard", executable, user),
        await row("svc serve, after what was measured above", platform.running.pid),
      ];
    },
  };
}

async function inTerminal(name: string, command: string, user: DashboardUser): Promise<Row> {
  const { home, env } = user;
  await using terminal = openTerminal({ command, cwd: home, env });
  await terminal.waitFor((text) => text.trim() !== "");
  await terminal.waitForQuiet(500);
  return await row(name, terminal.pid);
}

async function row(name: string, pid: number): Promise<Row> {
  const figures = [await residentBytes(pid), await peakBytes(pid)];
  return { name, figures: figures.map((bytes) => (bytes === undefined ? "?" : mebibytes(bytes))) };
}
