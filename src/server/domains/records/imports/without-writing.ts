import type { BatchAnswer } from "#contract/resources/batch.ts";
import type { WithinBatch } from "../write/batch-records.ts";

/** Rolls the transaction of a batch back, and has its outcomes. */
class NotWritten extends Error {
  override readonly name = "NotWritten";

  constructor(readonly answer: BatchAnswer) {
    super("The batch was only tried");
  }
}

/** The outcomes of a batch that is rolled back; those of creations name no record. */
export async function withoutWriting(
  write: (within: WithinBatch) => Promise<BatchAnswer>,
): Promise<BatchAnswer> {
  try {
    return await write((_tx, answer) => Promise.reject(new NotWritten(answer)));
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    const { results, ...counts } = error.answer;
    const named = results.map(({ id, version, ...result }) =>
      result.status === 201 ? result : { ...result, ...(id !== undefined && { id, version }) },
    );
    return { ...counts, results: named };
  }
}
