import { expect, test } from "vitest";
import { analyzerDefinition, documentTypeDefinition } from "#contract/documents/document-types.ts";
import { classifierDefinition } from "#contract/documents/classifiers.ts";
import { putClassifier } from "#server/domains/classifiers/store.ts";
import { updateDocument } from "#server/domains/documents/store/documents.ts";
import { putConfiguration } from "#server/domains/document-types/store.ts";
import { openAiModels } from "#server/models/openai-compatible.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";
import {
  startModelServer,
  type AskedModel,
  type ModelAnswer,
  type ModelFault,
  type ModelTestServer,
} from "#test/support/model-server.ts";
import { ada, createWorld, planning, untilDone, upload, type World } from "./world.ts";
import { asking } from "../chat/asking.ts";

/** How an endpoint misbehaves, and the reason that the job and the answer then give. */
const faults: readonly (readonly [ModelFault, RegExp])[] = [
  ["silent", /did not answer in time/],
  ["stalls", /did not answer in time/],
  ["garbage", /cannot be read|too early/],
  ["not-json", /cannot be read|too early/],
  ["too-many-requests", /too many requests: HTTP 429/],
  ["fails", /failed: HTTP 500/],
  ["refuses", /refused the request: HTTP 400/],
  ["cut", /too early/],
  ["lies", /cannot be read|too early/],
  ["endless", /cannot be read/],
  ["redirects", /refused the request/],
];

const letter = "The garden wall at Quay Street is 2.4 metres high.";
const note = "Nothing here has a rule.";
const files = [
  { filename: "letter.txt", content: letter },
  { filename: "note.txt", content: note },
];

/** The answers of a good model about the two files, and in a chat. */
function goodAnswer({ body }: AskedModel): ModelAnswer {
  const asked = JSON.stringify(body.messages);
  if (asked.includes("You classify")) {
    return { text: JSON.stringify({ label: "memo", confidence: 0.8 }) };
  }
  if (asked.includes("You read the fields")) {
    const height = { name: "height", value: "2.4", quote: "2.4 metres", confidence: 0.8 };
    return { text: JSON.stringify({ fields: [height] }) };
  }
  return { text: `${letter} [1]` };
}

async function modelWorld(
  database: WholeDatabase,
  server: ModelTestServer,
  circuit: { readonly failures: number; readonly openMs?: number; readonly now?: () => number },
) {
  const models = openAiModels(
    { baseUrl: server.url, chatModel: "large" },
    { limits: { attempts: 1, silenceMs: 250, responseBytes: 200_000 }, circuit },
  );
  const world = await createWorld(database, { models });
  const by = { oid: ada, time: new Date().toISOString() };
  const rule = { phrases: ["garden wall", "quay street"], minimum: 2 };
  await testWorks(database).work.write(async (writer) => {
    const labels = [{ key: "wall-letter", rule }, { key: "memo" }];
    const classifier = { displayName: "Letters", status: "active", labels };
    const place = { workspaceId: planning, key: "letters" };
    await putClassifier(writer, place, classifierDefinition.parse(classifier), by);
    const rules = [{ method: "model", instruction: "The height of the wall" }];
    const analyzer = { displayName: "Letters", fields: { height: { rules } } };
    const parsed = analyzerDefinition.parse(analyzer);
    await putConfiguration(writer, "analyzers", place, parsed, by);
    const type = { displayName: "Letter", label: "wall-letter", analyzer: "letters" };
    const typed = documentTypeDefinition.parse({ ...type, fields: { height: { type: "number" } } });
    await putConfiguration(writer, "document_types", place, typed, by);
  });
  return { world, models };
}

const stageOf = (job: Awaited<ReturnType<typeof untilDone>>, name: string) =>
  job.stages?.find((stage) => stage.name === name);

async function recordsOf({ documents, work }: World, ids: readonly string[]) {
  return Promise.all(ids.map((id) => documents.record(work, planning, id)));
}

describeInTurn("a model that fails", (open) => {
  test.each(faults)(
    "%s: documents stay whole, the job says why, and a retry completes them",
    async (fault, reason) => {
      await using server = await startModelServer({ answer: goodAnswer });
      const { world } = await modelWorld(await open(), server, { failures: 1_000 });
      server.behave(fault);
      const accepted = await upload(world, files);
      const job = await untilDone(world, accepted.jobId);
      const error = { code: "model-unavailable", message: expect.stringMatching(reason) };
      expect(job).toMatchObject({ status: "completed_with_errors", error });
      expect(job.error?.message).toMatch(/^2 of 2 documents are incomplete\./);
      expect(stageOf(job, "classify")).toMatchObject({ status: "completed_with_errors", error });
      expect(stageOf(job, "analyze")).toMatchObject({
        status: "completed_with_errors",
        error: { message: expect.stringContaining("the field height is left for a user") },
      });
      expect(stageOf(job, "index")).toMatchObject({ status: "succeeded", error: null });
      const ids = (accepted.documents ?? []).map(({ documentId }) => documentId);
      const [first, second] = await recordsOf(world, ids);
      for (const record of [first, second]) {
        expect(record).toMatchObject({ status: "ready", indexStatus: "indexed", chunkCount: 1 });
      }
      expect(first).toMatchObject({ fields: { height: { value: null, method: "none" } } });
      expect(second).toMatchObject({
        classification: { label: "needs-review", modelError: expect.stringMatching(reason) },
      });

      server.behave(undefined);
      await world.documents.jobs.retry(world.work, { workspaceId: planning, id: accepted.jobId });
      expect(await untilDone(world, accepted.jobId)).toMatchObject({
        status: "succeeded",
        error: null,
      });
      const [letterRecord, noteRecord] = await recordsOf(world, ids);
      expect(letterRecord).toMatchObject({
        chunkCount: 1,
        fields: { height: { value: 2.4, method: "model", quote: "2.4 metres" } },
      });
      expect(noteRecord).toMatchObject({
        classification: { label: "memo", method: "chat-model", chatModel: "large" },
      });
      expect(noteRecord?.classification).not.toHaveProperty("modelError");
    },
  );

  test.each(faults)(
    "%s: a chat keeps question and answer, and the next one works",
    async (fault) => {
      await using server = await startModelServer({ answer: goodAnswer });
      const { world } = await modelWorld(await open(), server, { failures: 1_000 });
      const accepted = await upload(world, { filename: "a.txt", content: letter });
      await untilDone(world, accepted.jobId);
      server.behave(fault);
      const conversation_id = crypto.randomUUID();
      const question = asking("How high is the garden wall?", { conversation_id });
      const types: string[] = [];
      for await (const { data } of await world.chat.stream(world.work, question))
        types.push(data.type);
      expect(["finish", "error"]).toContain(types.at(-1));
      server.behave(undefined);
      expect(await world.chat.send(world.work, question)).toMatchObject({
        model: "large",
        citations: [{ quote: letter }],
      });
      const key = { workspaceId: planning, id: conversation_id };
      const { messages } = await world.chat.conversations.detail(world.work, key, {});
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
      expect(messages.map(({ status }) => status)).toEqual([
        "complete",
        types.at(-1) === "finish" ? "complete" : "incomplete",
        "complete",
        "complete",
      ]);
      // The answer of quotes, or the part that was checked; never what the endpoint made up.
      const said = messages[1]?.content ?? "";
      if (types.at(-1) === "finish") expect(said).toContain(`“${letter}” [1]`);
      expect(said).not.toMatch(/not json|nonsense|sk-secret|xxxx/);
    },
  );

  test("that lies in its JSON gives no label and no value", async () => {
    const lies: ModelAnswer[] = [];
    await using server = await startModelServer({ answer: () => lies.shift() ?? { text: "{}" } });
    const { world } = await modelWorld(await open(), server, { failures: 1_000 });
    const crown = { text: JSON.stringify({ label: "crown", confidence: 7 }) };
    const made = { name: "height", value: "9.9", quote: "9.9 metres", confidence: 1 };
    const other = { name: "owner", value: "me", quote: letter, confidence: 1 };
    lies.push(crown, crown, { text: JSON.stringify({ fields: [made, other] }) });
    const accepted = await upload(world, files);
    const job = await untilDone(world, accepted.jobId);
    expect(job).toMatchObject({
      status: "completed_with_errors",
      error: { code: "model-unavailable", message: expect.stringContaining("fit the schema") },
    });
    // A false quote is an answer without a value.
    expect(stageOf(job, "analyze")).toMatchObject({ status: "succeeded" });
    const ids = (accepted.documents ?? []).map(({ documentId }) => documentId);
    const [first, second] = await recordsOf(world, ids);
    expect(first?.fields).toMatchObject({ height: { value: null, method: "none" } });
    expect(first?.fields).not.toHaveProperty("owner");
    expect(second).toMatchObject({ classification: { label: "needs-review" } });
  });

  test("is left alone while its circuit is open, and is asked again when it closes", async () => {
    await using server = await startModelServer({ answer: goodAnswer });
    let time = 0;
    const circuit = { failures: 2, openMs: 60_000, now: () => time };
    const { world, models } = await modelWorld(await open(), server, circuit);
    server.behave("fails");
    const first = await upload(world, files);
    await untilDone(world, first.jobId);
    expect(models.circuit).toBe("open");
    const asked = server.requests.length;
    server.behave(undefined);
    const second = await upload(world, { filename: "b.txt", content: `${note} Twice.` });
    expect(await untilDone(world, second.jobId)).toMatchObject({
      status: "completed_with_errors",
      error: { message: expect.stringContaining("is paused for a moment") },
    });
    expect(server.requests).toHaveLength(asked);
    time += 60_000;
    for (const { jobId } of [second, first]) {
      await world.documents.jobs.retry(world.work, { workspaceId: planning, id: jobId });
      expect(await untilDone(world, jobId)).toMatchObject({ status: "succeeded" });
    }
    expect(models.circuit).toBe("closed");
  });

  test("does not undo what a user decided, when its job runs again", async () => {
    await using server = await startModelServer({ answer: goodAnswer });
    const database = await open();
    const { world } = await modelWorld(database, server, { failures: 1_000 });
    server.behave("fails");
    const accepted = await upload(world, { filename: "note.txt", content: note });
    await untilDone(world, accepted.jobId);
    const id = accepted.documentId ?? "";
    await testWorks(database).work.write(async (writer) => {
      const classification = { label: "wall-letter", confidence: 1, candidates: [] };
      const decided = { classification: { ...classification, method: "review" } };
      await updateDocument(writer, { workspaceId: planning, id }, decided, new Date());
    });
    server.behave(undefined);
    await world.documents.jobs.retry(world.work, { workspaceId: planning, id: accepted.jobId });
    expect(await untilDone(world, accepted.jobId)).toMatchObject({ status: "succeeded" });
    expect(await world.documents.record(world.work, planning, id)).toMatchObject({
      classification: { label: "wall-letter", method: "review" },
    });
  });
});
