import type { LearntRules } from "#contract/documents/document-types.ts";
import { rulesByExample } from "../../text/analysis/configured/rules-by-example.ts";
import type { ScalarType } from "../../text/analysis/configured/scalar-value.ts";
import { TickShare } from "../../kit/turns/tick-share.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { Work } from "../../work/work.ts";
import { findDocument, firstPages } from "../documents/service.ts";

interface MarkedValues {
  readonly type: ScalarType;
  readonly examples: readonly { readonly documentId: string; readonly value: string }[];
}

/**
 * The rules of a field from documents in which its value is marked, by their first pages. Refuses
 * 422 with a pointer to an unknown document. Nothing is stored.
 */
export async function learnRules(
  { read }: Work,
  workspaceId: string,
  { type, examples }: MarkedValues,
): Promise<LearntRules> {
  const ticks = new TickShare(workspaceId);
  const marked: Parameters<typeof rulesByExample>[0][number][] = [];
  for (const [at, { documentId, value }] of examples.entries()) {
    await ticks.yieldWhenUsed();
    const document = await findDocument(read, workspaceId, documentId);
    if (document === undefined) {
      const path = ["examples", at, "documentId"];
      throw invalid([faultAt("body", path, "is not a document of this workspace")]);
    }
    marked.push({ pages: await firstPages(read, document), value });
  }
  const { rules, found } = rulesByExample(marked, type);
  return {
    rules: [...rules],
    examples: examples.map(({ documentId }, at) => {
      const { value = null, quote = null, page = null, confidence = 0 } = found[at] ?? {};
      return { documentId, value, quote, page, confidence };
    }),
  };
}
