import * as z from "zod";
import { routes } from "#contract/index.ts";
import { answer, oneOf, reply, type Answer } from "./answer.ts";

const { documents, classifiers, contentUnderstanding, reviews, chat, idpApps } = routes;
const text = z.string();
const faults = z.array(z.looseObject({ pointer: text, detail: text }));
const saved: Answer = { schema: z.looseObject({ output: text }) };

/** Answers of documents, classifiers, chats and app registrations, by their commands' paths. */
export const documentAnswers: Readonly<Record<string, Answer>> = {
  "docs retry": reply(documents.retryJob),
  "docs cancel": reply(documents.cancelJob),
  "docs index": { schema: z.looseObject({ jobId: text }) },
  "docs list": reply(documents.list),
  "docs content": saved,
  "docs open": saved,
  "docs delete": reply(documents.delete),
  "docs configure-type": { schema: z.looseObject({}) },
  "docs review list": reply(reviews.list),
  "docs review accept": { schema: z.looseObject({}) },
  "docs review correct": { schema: z.looseObject({}) },
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
  "chat export": { schema: z.looseObject({}) },
  "chat delete": reply(chat.deleteConversation),
  "provision entra": oneOf(reply(idpApps.remove), {
    schema: z.looseObject({ clientId: text, file: text, secretWritten: z.boolean() }),
  }),
};
