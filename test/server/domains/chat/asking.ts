import type { ChatRequest } from "#contract/documents/chat.ts";
import type { Asking } from "#server/domains/chat/service.ts";
import { planning, untilDone, upload } from "../documents/world.ts";
import type { TestFile, World } from "../documents/world.ts";

/** Another user than the caller. */
export const grace = "0192f000-0000-7000-8000-00000000face";

export const report = [
  "Flood report for 18 Quay Street.",
  "The new wall is 2.4 metres high and 40 metres long.",
  "Surface water drains to the harbour through two outfalls.",
].join("\n\n");

export function asking(
  message: string,
  changes: Partial<Asking> & Partial<ChatRequest> = {},
): Asking {
  const { conversation_id, params, runtime_context, ...others } = changes;
  return {
    workspaceId: planning,
    workflowId: "planning-assistant",
    stage: "chat",
    signal: new AbortController().signal,
    ...others,
    request: { message, conversation_id, params, runtime_context },
  };
}

/** Uploads, waits for the job, and returns the documents' ids. */
export async function add(world: World, files: readonly TestFile[]): Promise<string[]> {
  const accepted = await upload(world, files);
  await untilDone(world, accepted.jobId);
  return (accepted.documents ?? []).map(({ documentId }) => documentId);
}

export const file = (filename: string, content: string): TestFile => ({ filename, content });

/** The code of its refusal. */
export const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no refusal",
    (error: { code?: string }) => error.code ?? error,
  );
