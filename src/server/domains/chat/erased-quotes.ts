import type { Citation } from "#contract/documents/chat.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { jsonText, jsonValue } from "../../database/dialect.ts";
import { join, statement } from "../../database/statement.ts";
import type { Work } from "../../work/work.ts";
import type { AnswerDetails } from "./store.ts";

/** The text of an answer whose words came from what was erased. */
export const erasedAnswer = "This answer quoted what has been erased since; its text was removed.";

const answersAtOnce = 100;

interface QuotingAnswer {
  readonly conversationId: string;
  readonly id: string;
  readonly citations: string;
  readonly details: string;
}

/**
 * Removes the texts of stored answers that cite or name these documents or records. A sentence may
 * have words of several sources, so that the whole text goes; citations of others stay.
 */
export async function eraseQuotes(
  work: Work,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  for (;;) {
    const found = await answersQuoting(work.read, workspaceId, ids);
    await work.write(async (tx) => {
      for (const answer of found) await eraseAnswer(tx, workspaceId, answer, ids);
    });
    if (found.length < answersAtOnce) return;
  }
}

/** Answers with one of the ids in their citations, text or details. */
function answersQuoting(
  reader: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<QuotingAnswer[]> {
  const quoting = ids.map((id) => {
    const text = `%${id}%`;
    return statement`(${jsonText("citations")} like ${text} or content like ${text}
      or ${jsonText("details")} like ${text})`;
  });
  return reader.all<QuotingAnswer>(statement`select conversation_id as "conversationId", id,
      ${jsonText("citations")} as citations, ${jsonText("details")} as details
    from chat_messages
    where workspace_id = ${workspaceId} and role = 'assistant' and (${join(quoting, " or ")})
    limit ${answersAtOnce}`);
}

async function eraseAnswer(
  writer: Writer,
  workspaceId: string,
  { conversationId, id, citations, details }: QuotingAnswer,
  ids: readonly string[],
): Promise<void> {
  // Only the platform writes them, from these types.
  const kept = (JSON.parse(citations) as Citation[]).filter(
    (citation) => !ids.some((erased) => JSON.stringify(citation).includes(erased)),
  );
  const { model } = JSON.parse(details) as AnswerDetails;
  await writer.run(statement`update chat_messages set content = ${erasedAnswer},
      citations = ${jsonValue(kept)}, details = ${jsonValue(model === undefined ? {} : { model })}
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and id = ${id}`);
}
