import { existsSync } from "node:fs";
import { buildEndVariable, type BuildEnd } from "../../scripts/test-order.ts";

const lookMs = 50;

/** The file that appears when `npm test` has built dist/svc; undefined where it builds nothing. */
export function buildEndFile(): string | undefined {
  return process.env[buildEndVariable];
}

/** Waits until `npm test` has built dist/svc; undefined where it builds nothing. */
export function announcedBuild(): Promise<void> | undefined {
  const file = buildEndFile();
  return file === undefined ? undefined : buildEnd(file);
}

async function buildEnd(file: string): Promise<void> {
  while (!existsSync(file)) await Bun.sleep(lookMs);
  const { error }: BuildEnd = await Bun.file(file).json();
  if (error !== undefined) throw new Error(`dist/svc is not built: ${error}`);
}
