import type { Client, DocumentRecord, UploadMetadata } from "svc";
import { act, confirmed, emptyState, failureText, fill, h, notify } from "./element.ts";
import { contextsOf, type Context } from "./workflows.ts";

/** The documents of a workspace, and a place to drop more. */
export function showDocuments(place: HTMLElement, client: Client): void {
  void fill(place, async () => {
    const contexts = await contextsOf(client);
    const list = h("div", { class: "list" });
    const show = () => void fill(list, () => documentList(client, show));
    show();
    const upload = contexts.length > 0 ? uploadForm(client, contexts, show) : undefined;
    return h(
      "section",
      {},
      h("div", { class: "heading" }, h("h1", {}, "Documents")),
      upload ?? h("p", { class: "hint" }, "Uploads need an app with a workflow: `svc app create`."),
      list,
    );
  });
}

function uploadForm(client: Client, contexts: readonly Context[], done: () => void): HTMLElement {
  const choice = h(
    "select",
    { id: "context" },
    ...contexts.map(({ title }, index) => h("option", { value: index }, title)),
  );
  const files = h("input", { id: "files", type: "file", multiple: true });
  const uploads = h("ul", { class: "uploads", "aria-live": "polite" });
  const send = (given: FileList | null | undefined) => {
    const metadata = contexts[Number(choice.value)]?.metadata ?? {};
    for (const file of given ?? []) void sendFile(client, file, metadata, uploads).then(done);
  };
  files.addEventListener("change", () => (send(files.files), (files.value = "")));
  const drop = h(
    "label",
    { class: "drop", for: "files" },
    h("strong", {}, "Drop files here"),
    h("span", {}, "or choose them"),
    files,
  );
  drop.addEventListener(
    "dragover",
    (event) => (event.preventDefault(), drop.classList.add("over")),
  );
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    send(event.dataTransfer?.files);
  });
  const context = h(
    "div",
    { class: "field" },
    h("label", { for: "context" }, "They belong to"),
    choice,
  );
  return h("div", { class: "card" }, context, drop, uploads);
}

/** Sends one file and follows its job to the end. */
async function sendFile(
  client: Client,
  file: File,
  metadata: UploadMetadata,
  place: HTMLElement,
): Promise<void> {
  const documents = client.useDocuments();
  const bar = h("progress", { max: 1, value: 0, "aria-label": file.name });
  const state = h("span", {}, "Sending");
  const line = h("li", {}, h("strong", {}, file.name), bar, state);
  place.append(line);
  try {
    const sent = await documents.upload(file, metadata, {
      onProgress: (bytes, total) => (bar.value = total ? bytes / total : 1),
    });
    const { jobId } = await sent.accepted();
    bar.removeAttribute("value");
    state.textContent = "Reading";
    const { outcome } = await documents.waitForJob(jobId, { waitMs: 120_000 });
    bar.value = 1;
    state.textContent =
      { succeeded: "Ready", pending: "Still being read" }[String(outcome)] ?? "Failed";
    if (outcome === "succeeded") setTimeout(() => line.remove(), 4_000);
  } catch (error) {
    bar.remove();
    state.textContent = failureText(error);
    state.className = "failure";
  }
}

async function documentList(client: Client, changed: () => void): Promise<Node> {
  const { items } = await client.useDocuments().list({ limit: 50 });
  if (items.length === 0)
    return emptyState("No documents yet", "Files that you upload appear here.");
  const columns = ["Name", "Label", "State", "Size", ""];
  const head = h("tr", {}, ...columns.map((title) => h("th", { scope: "col" }, title)));
  const rows = items.map((document) => documentRow(client, document, changed));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
}

function documentRow(client: Client, record: DocumentRecord, changed: () => void): HTMLElement {
  const { classification, documentId, documentNumber, filename, size, status } = record;
  const name = filename ?? documentNumber ?? documentId;
  const open = h("button", { class: "link" }, name);
  open.addEventListener("click", () => void act(open, () => openDocument(client, record)));
  const remove = h("button", { class: "quiet", "aria-label": `Delete ${name}` }, "Delete");
  remove.addEventListener("click", () => {
    void act(remove, async () => {
      if (!(await confirmed(`Delete “${name}” with everything read from it?`, "Delete"))) return;
      await client.useDocuments().delete(documentId);
      notify(`${name} deleted`);
      changed();
    });
  });
  const cell = (label: string, ...content: readonly (Node | string)[]) =>
    h("td", { "data-label": label }, ...content);
  return h(
    "tr",
    {},
    cell("Name", open),
    cell("Label", classification?.label ?? ""),
    cell("State", h("span", { class: "badge" }, status ?? "")),
    cell("Size", size === undefined ? "" : sizeText(size)),
    cell("", remove),
  );
}

/** Types that a browser shows without running what is in them. */
const shownTypes = /^(?:application\/pdf|image\/(?!svg)[\w.+-]+|text\/plain)$/;

async function openDocument(client: Client, record: DocumentRecord): Promise<void> {
  const { documentId, filename, mediaType = "" } = record;
  const chunks: BlobPart[] = [];
  const stored = await client.useDocuments().content(documentId);
  for await (const chunk of stored.chunks()) chunks.push(new Uint8Array(chunk));
  const type = shownTypes.test(mediaType) ? mediaType : "application/octet-stream";
  const url = URL.createObjectURL(new Blob(chunks, { type }));
  const isShown = shownTypes.test(mediaType);
  const link = isShown
    ? h("a", { href: url, target: "_blank", rel: "noopener" })
    : h("a", { href: url, download: filename ?? documentId });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${Math.round(bytes / 1000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
