import type { Citation, Client } from "svc";
import { emptyState, failureText, fill, h } from "./element.ts";
import { workflowsOf } from "./workflows.ts";

/** A conversation whose answers cite their documents. */
export function showChat(place: HTMLElement, client: Client): void {
  void fill(place, async () => {
    const workflows = await workflowsOf(client);
    if (workflows.length === 0) {
      return emptyState(
        "No workflow yet",
        "A workflow answers questions about documents: `svc workflow provision` adds one.",
      );
    }
    return conversation(client, workflows);
  });
}

function conversation(client: Client, workflows: readonly string[]): HTMLElement {
  const choice = h(
    "select",
    { "aria-label": "Workflow", onchange: () => begin() },
    ...workflows.map((key) => h("option", { value: key }, key)),
  );
  const log = h("div", { class: "log", role: "log", "aria-label": "Conversation" });
  const question = h("textarea", {
    rows: 2,
    "aria-label": "Your question",
    placeholder: "Ask a question",
  });
  const send = h("button", { class: "primary" }, "Ask");
  const stop = h("button", { type: "button", hidden: true }, "Stop");
  const form = h("form", { class: "ask" }, question, send, stop);
  let conversationId: string | undefined;
  let running: AbortController | undefined;
  const begin = () => {
    running?.abort();
    conversationId = undefined;
    const text = "Answers quote and cite the documents of this workspace.";
    log.replaceChildren(emptyState("What would you like to know?", text));
    question.focus();
  };
  const ask = async () => {
    const text = question.value.trim();
    if (text === "" || running !== undefined) return;
    if (conversationId === undefined) log.replaceChildren();
    question.value = "";
    running = new AbortController();
    send.hidden = true;
    stop.hidden = false;
    log.append(h("div", { class: "message question" }, text));
    const answer = h("div", { class: "message answer", "aria-busy": "true" });
    log.append(answer);
    const { signal } = running;
    const options = { signal, ...(conversationId === undefined ? {} : { conversationId }) };
    const stream = client.useChat(choice.value).stream(text, options);
    conversationId = (await showAnswer(answer, stream)) ?? conversationId;
    running = undefined;
    send.hidden = false;
    stop.hidden = true;
    question.focus();
  };
  form.addEventListener("submit", (event) => (event.preventDefault(), void ask()));
  stop.addEventListener("click", () => running?.abort());
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void ask();
  });
  begin();
  const fresh = h("button", { onclick: begin }, "New conversation");
  const heading = h("div", { class: "heading" }, h("h1", {}, "Chat"), choice, fresh);
  return h("section", { class: "chat" }, heading, log, form);
}

type Events = ReturnType<ReturnType<Client["useChat"]>["stream"]>;

/** Writes the answer while it arrives, then its sources. Returns the conversation's id. */
async function showAnswer(place: HTMLElement, events: Events): Promise<string | undefined> {
  const text = h("p", {}, "…");
  place.append(text);
  const citations: Citation[] = [];
  let written = "";
  let conversationId: string | undefined;
  try {
    for await (const event of events) {
      if (event.type === "text") text.textContent = written += event.text;
      else if (event.type === "citation") citations.push(event.citation);
      else if (event.type === "error") place.append(failureLine(failureText(event.error)));
      else if (event.type === "finish") {
        conversationId = event.conversationId;
        if (event.reason === "aborted") place.append(h("p", { class: "hint" }, "Stopped"));
      }
      place.scrollIntoView({ block: "end" });
    }
  } catch (error) {
    place.append(failureLine(failureText(error)));
  }
  if (written === "") text.remove();
  if (citations.length > 0) place.append(sources(citations));
  place.removeAttribute("aria-busy");
  place.scrollIntoView({ block: "end" });
  return conversationId;
}

function failureLine(text: string): HTMLElement {
  return h("p", { class: "failure", role: "alert" }, text);
}

function sources(citations: readonly Citation[]): HTMLElement {
  const items = citations.map(({ documentId, documentNumber, filename, page, quote }) => {
    const where = page === undefined ? "" : `, page ${page}`;
    const title = h("summary", {}, `${filename ?? documentNumber ?? documentId}${where}`);
    return h("li", {}, h("details", {}, title, h("blockquote", {}, quote)));
  });
  return h("div", { class: "sources" }, h("h3", {}, "Sources"), h("ol", {}, ...items));
}
