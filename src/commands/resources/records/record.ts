import type * as zod from "zod";
import type { Shown } from "#cli/shown.ts";
import type { Expansion, ExpandedRecord } from "#contract/resources/record.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { counted } from "#lib/text/counted.ts";
import type { Answer, RouteId } from "../../kit/answer.ts";
import type { CommandContext } from "../../kit/context.ts";
import { otherFields, valueText } from "../../kit/output/rows.ts";

const recordNames = [
  "id",
  "type",
  "version",
  "data",
  "created_at",
  "updated_at",
  "created_by",
  "updated_by",
  "expanded",
];

export function recordLines({ output }: CommandContext, record: Resource): Shown[] {
  return output.fields([
    ["id", record.id],
    ["type", record.type],
    ["version", record.version === 0 ? undefined : String(record.version)],
    ["created_at", record.created_at],
    ["updated_at", record.updated_at],
    ...Object.entries(record.data).map(([name, value]): [string, string] => [
      `data.${name}`,
      valueText(value),
    ]),
    ...Object.entries(record.expanded ?? {}).map(([name, expansion]): [string, string] => [
      `expanded.${name}`,
      expansionText(expansion),
    ]),
    ...otherFields(record, recordNames),
  ]);
}

/** The ids of the records of an expansion, one of them with its data. */
function expansionText(expansion: Expansion): string {
  if (expansion === null) return "(no record)";
  if ("items" in expansion && Array.isArray(expansion.items)) {
    const ids = expansion.items.map((item: ExpandedRecord | null) => item?.id ?? "(no record)");
    return [counted(Number(expansion["total"]), "record"), ...ids].join(", ");
  }
  return `${String(expansion.id)} ${valueText(expansion.data)}`;
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

/** The schema of {@link transportProof}. */
export function proofSchema(z: typeof zod) {
  return z.strictObject({
    publicApiUrl: z.string(),
    tenantId: z.string().optional(),
    proofKind: z.literal("transport-response"),
  });
}

/** The reply of a route, with the origin of the answer. */
export function withProof(route: RouteId): Answer {
  return ({ z, reply }) => z.intersection(reply(route), z.looseObject({ request: proofSchema(z) }));
}
