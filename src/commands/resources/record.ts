import type { Resource } from "#contract/resources.ts";
import type { CommandContext } from "../context.ts";
import { valueText } from "../rows.ts";

/** Lines for one record. */
export function recordLines({ output }: CommandContext, record: Resource): string[] {
  return output.fields([
    ["id", record.id],
    ["type", record.type],
    ["version", String(record.version)],
    ["created_at", record.created_at],
    ["updated_at", record.updated_at],
    ...Object.entries(record.data).map(([name, value]): [string, string] => [
      `data.${name}`,
      valueText(value),
    ]),
  ]);
}

/**
 * What create and delete add to their JSON: where the answer came from (spec 2.11). Credentials,
 * header fields and query values never stand in it.
 */
export function transportProof(client: {
  readonly baseUrl: string;
  readonly tenantId: string | undefined;
}): { publicApiUrl: string; tenantId: string | undefined; proofKind: "transport-response" } {
  return {
    publicApiUrl: client.baseUrl,
    tenantId: client.tenantId,
    proofKind: "transport-response",
  };
}
