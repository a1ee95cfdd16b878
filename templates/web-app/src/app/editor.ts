import { PlatformError, type Client, type Fault, type ObjectType, type Resource } from "svc";
import { act, confirmed, failureText, h, notify, type Child } from "./element.ts";
import { changesOf, inputText, textOf, valueOf, type Field } from "./fields.ts";

interface Editing {
  readonly client: Client;
  readonly type: ObjectType;
  readonly fields: readonly Field[];
  /** The record; undefined for a new one. */
  readonly id: string | undefined;
  /** Called after a write. */
  changed(): void;
}

/** Opens a record, or a new one, in a form. */
export async function editRecord(editing: Editing): Promise<void> {
  const { client, fields, id, type } = editing;
  const records = client.useResources(type.slug);
  let record: Resource | undefined;
  try {
    record = id === undefined ? undefined : await records.get(id);
  } catch (error) {
    return notify(failureText(error), "failed");
  }
  const title = type.displayName ?? type.name;
  const failure = h("p", { role: "alert", class: "failure" });
  const save = h("button", { class: "primary" }, record === undefined ? "Create" : "Save");
  const remove = h("button", { type: "button", class: "danger" }, "Delete");
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const form = h(
    "form",
    { novalidate: true },
    h("h2", {}, record === undefined ? `New ${title}` : title),
    ...fields.map((field) => fieldRow(field, record)),
    failure,
    h("footer", {}, record !== undefined && remove, h("span", { class: "gap" }), close, save),
  );
  const dialog = h("dialog", { onclose: () => dialog.remove() }, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    failure.textContent = "";
    void act(save, async () => {
      try {
        await write(editing, record, form);
      } catch (error) {
        return showFaults(form, failure, error);
      }
      dialog.close();
      notify(record === undefined ? `${title} created` : `${title} saved`);
      editing.changed();
    });
  });
  remove.addEventListener("click", () => {
    void act(remove, async () => {
      if (record === undefined || !(await confirmed(`Delete this ${title}?`, "Delete"))) return;
      await records.delete(record.id);
      dialog.close();
      notify(`${title} deleted`);
      editing.changed();
    });
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Writes the properties, then the files, each with its progress. */
async function write(
  { client, fields, type }: Editing,
  before: Resource | undefined,
  form: HTMLFormElement,
): Promise<void> {
  const records = client.useResources(type.slug);
  const plain = fields.filter((field) => field.type !== "file");
  const data = Object.fromEntries(
    plain.map((field) => [field.name, valueOf(input(form, field)?.value ?? "", field)]),
  );
  const changes = changesOf(before?.data ?? {}, data);
  let record = before;
  if (before === undefined) {
    const given = Object.entries(data).filter(([, value]) => value !== undefined);
    record = await records.create(Object.fromEntries(given));
  } else if (Object.keys(changes).length > 0) {
    record = await records.patch(before.id, changes, { version: before.version });
  }
  for (const field of fields) {
    const control = input(form, field);
    const file = control instanceof HTMLInputElement ? control.files?.[0] : undefined;
    if (field.type !== "file" || file === undefined || record === undefined) continue;
    const bar = form.querySelector<HTMLProgressElement>(`#${CSS.escape(`progress-${field.name}`)}`);
    await records.uploadFile(record.id, field.name, file, {
      filename: file.name,
      onProgress: (sent, total) => {
        if (bar === null) return;
        bar.hidden = false;
        bar.value = total === 0 || total === undefined ? 1 : sent / total;
      },
    });
  }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function input(form: HTMLFormElement, { name }: Field): Control | null {
  return form.querySelector<Control>(`#${CSS.escape(`field-${name}`)}`);
}

function fieldRow(field: Field, record: Resource | undefined): HTMLElement {
  const { help, label, name, required, type } = field;
  const id = `field-${name}`;
  const value = record?.data[name];
  const described = help === undefined ? undefined : `help-${name}`;
  const control = controlOf(field, inputText(value, type), { id, "aria-describedby": described });
  const parts: Child[] = [
    h("label", { for: id }, label, required && h("span", { class: "required" }, " required")),
    type === "file" && value != null && h("p", { class: "hint" }, `Now: ${textOf(value, type)}`),
    control,
    type === "file" && h("progress", { id: `progress-${name}`, max: 1, value: 0, hidden: true }),
    help !== undefined && h("p", { class: "hint", id: described }, help),
    h("p", { class: "fault", "data-fault": name, role: "alert" }),
  ];
  return h("div", { class: "field" }, ...parts);
}

const inputTypes: Readonly<Record<string, string>> = {
  integer: "number",
  number: "number",
  date: "date",
  datetime: "datetime-local",
  email: "email",
  url: "url",
};

type Attributes = Readonly<Record<string, string | undefined>>;

function controlOf(
  { accept, choices, type }: Field,
  value: string,
  attributes: Attributes,
): Control {
  if (type === "enum" || type === "boolean") {
    const offered = type === "enum" ? choices : ["true", "false"];
    const options = ["", ...offered].map((text) =>
      h("option", { value: text, selected: text === value }, optionText(text, type)),
    );
    return h("select", attributes, ...options);
  }
  if (["text", "object", "array", "geopoint", "geometry"].includes(type)) {
    return h("textarea", { ...attributes, rows: type === "text" ? 4 : 6 }, value);
  }
  if (type === "file") return h("input", { ...attributes, type: "file", accept });
  const step = type === "number" ? "any" : undefined;
  return h("input", { ...attributes, type: inputTypes[type] ?? "text", step, value });
}

function optionText(value: string, type: string): string {
  if (value === "") return "—";
  return type === "boolean" ? textOf(value === "true", type) : value;
}

/** Shows each fault at its field, and the rest below the form. */
function showFaults(form: HTMLFormElement, place: HTMLElement, error: unknown): void {
  for (const each of form.querySelectorAll("[data-fault]")) each.textContent = "";
  let first: HTMLElement | null = null;
  for (const { detail, pointer } of faultsOf(error)) {
    const name = pointer.split("/").at(-1) ?? "";
    const line = form.querySelector(`[data-fault="${CSS.escape(name)}"]`);
    if (line !== null) line.textContent = detail;
    first ??= form.querySelector<HTMLElement>(`#${CSS.escape(`field-${name}`)}`);
  }
  first?.focus();
  const isConflict = error instanceof PlatformError && [409, 412].includes(error.status ?? 0);
  const advice = isConflict ? ". Close this form and open the record again" : "";
  place.textContent = failureText(error) + advice;
}

function faultsOf(error: unknown): readonly Fault[] {
  const faults = error instanceof PlatformError ? error.problem?.["errors"] : undefined;
  return Array.isArray(faults) ? faults : [];
}
