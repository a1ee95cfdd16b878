import { given } from "#lib/given.ts";
import type { Answer, RecordedPlatform, Sent } from "./recorded-platform.ts";

const documents = "/v4/data/documents";
const endings = /^(?:succeeded|completed_with_errors|failed|cancelled)$/;

const invoice = [
  "Tax invoice",
  "Invoice number: INV-004711",
  "Invoice date: 3 May 2026",
  "Rope\t£30.00",
  "Total due: £30.00",
  "Payment terms: 30 days, invoice to the harbour office",
].join("\n");

/** Makes documents of each state, decisions about them, a classifier and conversations. */
export async function makeDocuments(platform: RecordedPlatform, main: string): Promise<void> {
  const within: Sent = { tenant: main };
  const call = (method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
    platform.call(method, documents + path, {
      ...within,
      headers,
      ...given({ body }),
    });
  await untilIdle(platform, main);
  const read = await upload(platform, main, new File([invoice], "invoice-4711.txt"));
  const broken = new File(["%PDF-1.7 is all that is left"], "broken.pdf");
  await upload(platform, main, broken);
  await upload(platform, main, new File([new Uint8Array(64)], "unknown.bin"));
  const gone = await upload(platform, main, new File(["A letter to delete."], "gone.txt"));
  await untilIdle(platform, main);
  await call("DELETE", `/records/${gone}`);
  for (const { target, documentId } of await openReviews(platform, main)) {
    if (documentId !== read) continue;
    await call("POST", `/records/${read}/reviews`, { action: "accept", target });
    break;
  }
  const correction = { action: "correct", target: "label", value: "invoice" };
  await call("POST", `/records/${read}/reviews`, correction);
  await call("POST", "/rag-index", { documentId: read });
  const manifest = { version: 1, classifiers: { moorings: mooringClassifier } };
  const plan = await call("POST", "/content-understanding/plans", manifest);
  await call("POST", "/content-understanding/operations", manifest, {
    "if-match": `"${plan.text("digest")}"`,
    "operation-id": "stored-operation",
  });
  await untilIdle(platform, main);
}

const mooringClassifier = {
  displayName: "Moorings",
  status: "active",
  labels: [
    { key: "permit", rule: { phrases: ["mooring permit", "harbour master"], minimum: 2 } },
    { key: "other" },
  ],
};

/** Uploads a file for the sample's planning assistant; returns the document's ID. */
export async function upload(
  platform: RecordedPlatform,
  main: string,
  file: File,
): Promise<string> {
  const form = new FormData();
  form.set("tenant_id", main);
  form.set("storage_target", "resourceapi");
  form.set("processing_mode", "full");
  form.set("vertical_key", "planning-portal");
  form.set("workflow_key", "planning-assistant");
  form.set("files", file);
  const sent = await platform.call("POST", `${documents}/upload`, { tenant: main, body: form });
  return sent.text("documentId");
}

/** Waits until no job runs, and each classifier has learnt its examples. */
export async function untilIdle(platform: RecordedPlatform, tenant: string): Promise<void> {
  await platform.until(`${documents}/jobs?limit=500`, { tenant }, (answer) =>
    answer.items("status").every(({ status = "" }) => endings.test(status)),
  );
  await platform.until(
    `${documents}/classifiers`,
    { tenant },
    (answer) => !JSON.stringify(answer.value("items")).includes('"queued"'),
  );
}

async function openReviews(
  platform: RecordedPlatform,
  tenant: string,
): Promise<Record<string, string>[]> {
  const answer = await platform.call("GET", `${documents}/reviews?limit=500`, { tenant });
  return answer.items("documentId", "target");
}

const chat = "planning-assistant/chat";

/** Makes a conversation that quotes documents, a renamed one, and a deleted one. */
export async function makeConversations(platform: RecordedPlatform, main: string): Promise<void> {
  const base = `/v4/ai/chat/${main}`;
  const ask = async (message: string, conversation?: string): Promise<string> => {
    const body = {
      message,
      ...given({ conversation_id: conversation }),
    };
    const answer = await platform.call("POST", `${base}/${chat}`, { body });
    return answer.text("conversation_id");
  };
  const first = await ask("How many parking spaces does the Quay Street plan provide?");
  await ask("What must the notice at the premises say?", first);
  const renamed = await ask("What is the application fee for Millfield Allotments?");
  await platform.call("PATCH", `${base}/conversations/${renamed}`, { body: { title: "The fee" } });
  const gone = await ask("What is the weather?");
  await platform.call("DELETE", `${base}/conversations/${gone}`);
}

/** Makes an answer of a language model, and a vector of each passage. */
export async function makeModelAnswers(platform: RecordedPlatform, main: string): Promise<void> {
  await platform.call("POST", `/v4/ai/chat/${main}/${chat}`, {
    body: { message: "What is the answer?" },
  });
  await upload(platform, main, new File(["A note about the tide tables."], "tide.md"));
  await untilIdle(platform, main);
  await platform.until(
    `/v4/data/resources/${main}/storage`,
    {},
    (answer) => answer.value("embedding", "state") === "ready",
  );
}
