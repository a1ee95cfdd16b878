import * as z from "zod";
import { documentTable } from "#contract/documents/records.ts";
import { routes } from "#contract/index.ts";
import { answer, oneOf, reply, type Answer } from "./answer.ts";

const { documents, classifiers, contentUnderstanding, documentTypes, reviews, chat, idpApps } =
  routes;
const text = z.string();
const faults = z.array(z.looseObject({ pointer: text, detail: text }));
const fieldSync = z.looseObject({ field: text, status: text, reason: text.optional() });

/** Answers of documents, classifiers, chats and app registrations, by their commands' paths. */
export const documentAnswers: Readonly<Record<string, Answer>> = {
  "docs retry": reply(documents.retryJob),
  "docs cancel": reply(documents.cancelJob),
  "docs index": { schema: z.looseObject({ jobId: text }) },
  "docs list": reply(documents.list),
  "docs content": oneOf(
    answer({
      documentId: text,
      output: text,
      size: z.int(),
      filename: text.optional(),
      contentType: text.optional(),
      sha256: text.optional(),
      verified: z.boolean(),
    }),
    answer({ documentId: text, pages: z.array(z.strictObject({ page: z.int(), text })) }),
    answer({ documentId: text, tables: z.array(documentTable) }),
    answer({
      documentId: text,
      page: z.int(),
      width: z.number().optional(),
      height: z.number().optional(),
      words: z.array(
        z.looseObject({ word: text, x: z.number(), y: z.number(), width: z.number() }),
      ),
    }),
  ),
  "docs open": answer({ documentId: text, output: text, opened: z.boolean() }),
  "docs delete": reply(documents.delete),
  "docs configure-type": answer({
    documentType: reply(documentTypes.get).schema,
    analyzer: reply(documentTypes.getAnalyzer).schema,
    /** Whether the stored configuration, read back, is the given one. */
    verified: z.boolean(),
    runtimeSync: z.looseObject({ status: text, fields: z.array(fieldSync).optional() }),
  }),
  "docs review list": reply(reviews.list),
  "docs review accept": reply(reviews.decide),
  "docs review correct": reply(reviews.decide),
  "docs search": reply(documents.search),
  "classifier list": reply(classifiers.list),
  "classifier get": reply(classifiers.get),
  "classifier put": reply(classifiers.put),
  "classifier train": reply(classifiers.train),
  "classifier target": {
    schema: z.looseObject({ classifier: text, app: text, workflow: text }),
  },
  "content-understanding schema": { schema: z.looseObject({ $schema: text }) },
  "content-understanding validate": answer({ valid: z.boolean(), file: text, faults }),
  "content-understanding capabilities": reply(contentUnderstanding.capabilities),
  "content-understanding plan": reply(contentUnderstanding.plan),
  "content-understanding apply": reply(contentUnderstanding.apply),
  "content-understanding status": oneOf(
    reply(contentUnderstanding.operation),
    reply(contentUnderstanding.operations),
  ),
  "chat list": reply(chat.conversations),
  "chat show": reply(chat.conversation),
  "chat rename": reply(chat.rename),
  "chat export": oneOf(reply(chat.conversation), answer({ conversationId: text, output: text })),
  "chat delete": reply(chat.deleteConversation),
  "provision entra": oneOf(reply(idpApps.remove), {
    schema: z.looseObject({ clientId: text, file: text, secretWritten: z.boolean() }),
  }),
};
