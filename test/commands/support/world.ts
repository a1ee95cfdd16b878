import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { CallSettings, Called, CommandWorld } from "../world.ts";

/** The embedded platform as an HTTPS website; nothing of it listens. */
export const website = "https://platform.test";
export const chatUrl = `${website}/support?chat=open`;

export interface SupportResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Calls `svc support --format json` against the website of the embedded platform. */
export async function support(
  world: CommandWorld,
  words: readonly string[],
  settings: CallSettings = {},
): Promise<SupportResult> {
  const called = await world.json(["support", ...words], {
    ...settings,
    variables: { SVC_WEBSITE_URL: website, BROWSER: "none", ...settings.variables },
  });
  return { ...called, json: recordOf(called) };
}

function recordOf({ json }: Called): Readonly<Record<string, unknown>> {
  expect(json).toEqual(expect.any(Object));
  return Object.fromEntries(Object.entries(json ?? {}));
}

/** The report inside a preview. */
export function reportIn({ json }: SupportResult): Readonly<Record<string, unknown>> {
  const text = String(json["previewText"]);
  return JSON.parse(text.slice(text.indexOf("{"))) as Readonly<Record<string, unknown>>;
}

/** Shows the report and approves exactly it. */
export async function approved(
  world: CommandWorld,
  words: readonly string[],
  settings: CallSettings = {},
): Promise<SupportResult> {
  const { json } = await support(world, words, settings);
  const digest = String(json["bundleDigest"]);
  return support(world, [...words, "--yes", "--approved-digest", digest, "--no-open"], settings);
}

/** A website that gives one answer, and the requests that it has seen. */
export function answering(answer: () => Response | Promise<Response>): {
  readonly seen: Request[];
  fetch(request: Request): Promise<Response>;
} {
  const seen: Request[] = [];
  return {
    seen,
    fetch: async (request) => {
      seen.push(request);
      return answer();
    },
  };
}

export async function contextFilesIn(config: string): Promise<string[]> {
  return readdir(join(config, "support-context")).catch(() => []);
}
