import { afterAll, afterEach, expect, test } from "vitest";
import { startModelServer, type AskedModel } from "#test/support/model-server.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { of } from "../classifiers/world.ts";
import { invoiceWorkspace, readDocument } from "./world.ts";

const letter = "Dear madam, thank you for the rope of 3 May. Kind regards, Ada Marsh of Marsh Ltd.";
let classification: unknown = { label: "letter", confidence: 0.8 };
let fields: unknown[] = [];

function answer({ body }: AskedModel) {
  const asked = JSON.stringify(body.messages);
  return { text: JSON.stringify(asked.includes("You classify") ? classification : { fields }) };
}

const server = await startModelServer({ answer });
afterAll(async () => server[Symbol.asyncDispose]());
afterEach(() => server.behave(undefined));

const value = (name: string, text: string, quote: string | null) => {
  return { name, value: text, quote, confidence: 0.99 };
};

const options = { modelEndpoint: { baseUrl: server.url, chatModel: "small" } };
describePlatform(
  "documents with a model",
  (the) => {
    async function read(): Promise<Record<string, unknown>> {
      const { application } = await invoiceWorkspace(the());
      const rule = (instruction: string) => ({ rules: [{ method: "model", instruction }] });
      const admin = the().as("tenant-admin");
      const analyzer = {
        displayName: "Letters",
        fields: { sender: rule("The sender"), topic: rule("The topic") },
      };
      await admin.put("/v4/data/documents/analyzers/letters", analyzer, of(the()));
      const type = {
        displayName: "Letter",
        label: "letter",
        analyzer: "letters",
        fields: { sender: { required: true }, topic: { mode: "generate" } },
      };
      const path = "/v4/data/documents/document-types/letter";
      const made = await admin.put(path, type, of(the()));
      expect(made.json).toMatchObject({ runtime: { status: "applied" } });
      return readDocument(the(), application, `${letter}\n${Bun.randomUUIDv7()}`);
    }

    test("are classified by it where the classifier abstains, with quoted fields", async () => {
      classification = { label: "letter", confidence: 0.99 };
      fields = [value("sender", "Ada Marsh", "Ada Marsh"), value("topic", "Rope", null)];
      const record = await read();
      expect(record["classification"]).toMatchObject({
        label: "letter",
        confidence: 0.9,
        method: "chat-model",
        chatModel: "small",
        classifier: "papers",
      });
      const { start, end } = { start: letter.indexOf("Ada"), end: letter.indexOf(" of Marsh") };
      expect(record["fields"]).toMatchObject({
        sender: { value: "Ada Marsh", quote: "Ada Marsh", page: 1, span: { start, end } },
        topic: { value: "Rope", quote: null, confidence: 0.6, method: "model" },
      });
    });

    test("keep no value whose quote is not in the document", async () => {
      classification = { label: "letter", confidence: 0.9 };
      fields = [value("sender", "Ben Fenn", "Yours, Ben Fenn"), value("sender", "x", null)];
      const record = await read();
      expect(record["fields"]).toMatchObject({ sender: { value: null, method: "none" } });
    });

    test.each([
      ["an unknown label", { label: "novel", confidence: 1 }],
      ["no label", { label: "none", confidence: 1 }],
      ["an unsure label", { label: "letter", confidence: 0.2 }],
      ["no JSON", "it is a letter"],
    ])("are left to a user after %s", async (_name, given) => {
      classification = given;
      const record = await read();
      expect(field(record["classification"], "label")).toBe("needs-review");
      const path = `/v4/data/documents/reviews?documentId=${String(record["documentId"])}`;
      const open = await the().as("tenant-viewer").get(path, of(the()));
      expect(open.json).toMatchObject({ items: [{ target: "label" }] });
    });

    test.each(["refuses", "lies"] as const)("are read when the endpoint %s", async (fault) => {
      server.behave(fault);
      const record = await read();
      expect(record).toMatchObject({
        status: "ready",
        classification: { label: "needs-review", modelError: expect.stringContaining("model") },
      });
    });
  },
  { options },
);
