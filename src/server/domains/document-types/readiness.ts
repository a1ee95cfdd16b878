import type { Reader } from "../../database/database.ts";
import { configurationByKey, configurationPage } from "./store.ts";

const typesAtMost = 500;

/**
 * Why a workspace cannot describe documents with these labels: it needs an active document type
 * and the analyzer of that type, which are configured apart from the classifier.
 */
export async function schemaFault(
  reader: Reader,
  workspaceId: string,
  labels: ReadonlySet<string>,
): Promise<string | undefined> {
  const page = { rows: typesAtMost, offset: 0 };
  const types = await configurationPage(reader, "document_types", workspaceId, page);
  const fitting = types.filter(
    ({ definition }) => definition.status === "active" && labels.has(definition.label),
  );
  for (const { definition } of fitting) {
    const place = { workspaceId, key: definition.analyzer };
    if ((await configurationByKey(reader, "analyzers", place)) !== undefined) return undefined;
  }
  const [first] = fitting;
  return first === undefined
    ? "no active document type has a label of its classifier"
    : `the analyzer ${JSON.stringify(first.definition.analyzer)} of its document type ` +
        `${JSON.stringify(first.key)} does not exist`;
}
