import { Refused, type Answer, type Json } from "../answers.ts";
import { objectBody, param, pathWorkspace, textOf, type Call, type OtherRoute } from "./call.ts";

/** The request's names (spec 2.10). */
const names = [
  "message",
  "conversation_id",
  "params",
  "workflowId",
  "stage",
  "conversationId",
  "runtime_context",
];
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function conversationOf(call: Call): { readonly id: string; readonly message: string } {
  pathWorkspace(call);
  if (param(call, "stage") !== "chat") throw new Refused(404, "no such stage");
  const body = objectBody(call, names);
  const given = body["conversation_id"];
  if (given === undefined && call.dialect.wantsConversation) {
    throw new Refused(400, "conversation_id is missing");
  }
  if (given !== undefined && (typeof given !== "string" || !uuid.test(given))) {
    throw new Refused(400, "conversation_id is no UUID");
  }
  return { id: given ?? crypto.randomUUID(), message: textOf(body, "message") };
}

const said = ["Elms ", "grow ", "tall [1].\n"];

function reply(call: Call): Answer {
  const { id } = conversationOf(call);
  const text = said.join("");
  switch (call.dialect.chatReply) {
    case "reply": {
      const message = { role: "assistant", content: text };
      return { kind: "value", value: { conversation_id: id, message } };
    }
    case "answer":
      return { kind: "value", value: { answer: text, conversationId: id } };
    case "choices": {
      const message = { role: "assistant", content: text };
      return { kind: "value", value: { id: "c1", choices: [{ index: 0, message }] } };
    }
    case "text":
      return { kind: "text", text };
  }
}

function dataLine(value: Json | string): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `data: ${text}\n\n`;
}

function frames(call: Call): string[] {
  const { id } = conversationOf(call);
  switch (call.dialect.chatStream) {
    case "chunks":
      return [
        ...said.map((content) => dataLine({ choices: [{ delta: { content } }] })),
        dataLine({ choices: [{ delta: {}, finish_reason: "stop" }] }),
      ];
    case "bare":
    case "whole-text":
      // A space after the colon belongs to the form, the next one to the text.
      return said.map((text) => `data: ${text.trimEnd()} \n\n`);
    case "json-text":
      return said.map((text) => dataLine({ text, conversation_id: id }));
    case "ui":
      return [
        dataLine({ type: "start", messageId: "m1" }),
        dataLine({ type: "text-start", id: "t" }),
        ...said.map((delta) => dataLine({ type: "text-delta", id: "t", delta })),
        dataLine({ type: "text-end", id: "t" }),
        dataLine({ type: "data-weather", data: { rain: true } }),
        dataLine({ type: "finish" }),
      ];
  }
}

/** Chat with a workflow's stage (spec 4.5, 6.1). */
export const chatRoutes: readonly OtherRoute[] = [
  {
    method: "POST",
    path: "/v4/ai/chat/stream/{tenantId}/{workflowId}/{stage}",
    answer: (call) =>
      call.dialect.chatStream === "whole-text"
        ? { kind: "text", text: frames(call).length > 0 ? said.join("") : "" }
        : { kind: "events", frames: [": welcome\n\n", ...frames(call), "data: [DONE]\n\n"] },
  },
  { method: "POST", path: "/v4/ai/chat/{tenantId}/{workflowId}/{stage}", answer: reply },
];
