import type { Resource } from "#contract/resources.ts";
import type { CommandContext } from "../../context.ts";
import { valueText } from "../../output/rows.ts";

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

/** The origin of an answer (spec 2.11), without credentials, headers and query values. */
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
