import type { Client } from "#client/surface.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { UnwellPart } from "#contract/platform/condition.ts";
import { isJsonObject } from "#lib/json/value.ts";

/**
 * The health of a platform, and the names and states of its unwell parts; "" when all are well.
 * The error of a refused request names the unwell parts in its body.
 */
export async function healthOf(
  client: Client,
  signal: AbortSignal,
): Promise<{ readonly status: string; readonly version?: string; readonly unwell: string }> {
  const { unwellParts } = await import("#contract/platform/condition.ts");
  const health = await client.health.resources({ signal }).catch((error: unknown) => {
    if (!(error instanceof CatalogError) || error.code !== "E203") throw error;
    const body = isJsonObject(error.problem) ? error.problem : {};
    const nested = Object.entries(body).filter(([, value]) => typeof value === "object");
    const words = wordsOf(unwellParts(Object.fromEntries(nested)));
    if (words === "") throw error;
    const [, message] = /^[^:]*: (.*)$/s.exec(error.message) ?? [undefined, error.message];
    throw catalogError("E203", { details: `${message} (${words})` }, { status: error.status });
  });
  // An answer as JSON is what was sent, with the deployment's own words.
  const parts = unwellParts(JSON.parse(JSON.stringify(health)));
  const { status, version } = health;
  const isWell = status === "ok" && parts.length === 0;
  const unwell = isWell ? "" : wordsOf(parts) || status;
  return { status, unwell, ...(version !== undefined && { version }) };
}

function wordsOf(parts: readonly UnwellPart[]): string {
  const named = parts.filter(({ name }) => name !== "");
  return (named.length === 0 ? parts : named)
    .map(({ name, word, detail }) =>
      name === "" ? (detail ?? word) : `${name}: ${detail ?? word}`,
    )
    .join(", ");
}
