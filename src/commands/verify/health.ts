import type { Client } from "#client/surface.ts";

/** The health of a platform, and the names and states of its unwell parts; "" when all are well. */
export async function healthOf(
  client: Client,
  signal: AbortSignal,
): Promise<{ readonly status: string; readonly version?: string; readonly unwell: string }> {
  const health = await client.health.resources({ signal });
  const { unwellParts } = await import("#contract/platform/condition.ts");
  // An answer as JSON is what was sent, with the deployment's own words.
  const parts = unwellParts(JSON.parse(JSON.stringify(health)));
  const named = parts.filter(({ name }) => name !== "");
  const words = (named.length === 0 ? parts : named).map(({ name, word, detail }) =>
    name === "" ? (detail ?? word) : `${name}: ${detail ?? word}`,
  );
  const { status, version } = health;
  const isWell = status === "ok" && parts.length === 0;
  const unwell = isWell ? "" : words.join(", ") || status;
  return { status, unwell, ...(version !== undefined && { version }) };
}
