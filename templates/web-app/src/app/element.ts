type Listener = (event: Event) => void;
type Attribute = string | number | boolean | undefined | Listener;
export type Child = Node | string | undefined | false;

/** Makes an element; `on…` attributes are listeners, and text never becomes markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else if (value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A place without data, with what to do about it. */
export function emptyState(title: string, text: string, ...actions: readonly Child[]): HTMLElement {
  return h("div", { class: "state" }, h("h2", {}, title), h("p", {}, text), ...actions);
}

/** Shows a skeleton, then what `load` returns; a failure has a button that tries again. */
export async function fill(place: HTMLElement, load: () => Promise<Node>): Promise<void> {
  const turn = {};
  turns.set(place, turn);
  const lines = [1, 2, 3, 4, 5].map(() => h("div", { class: "skeleton" }));
  place.setAttribute("aria-busy", "true");
  place.replaceChildren(h("div", { role: "status", "aria-label": "Loading" }, ...lines));
  const content = await load().catch((error: unknown) => {
    const again = h("button", { onclick: () => void fill(place, load) }, "Try again");
    const title = h("h2", {}, "This could not be loaded");
    return h(
      "div",
      { class: "state", role: "alert" },
      title,
      h("p", {}, failureText(error)),
      again,
    );
  });
  // A later call shows something else here.
  if (turns.get(place) !== turn) return;
  place.removeAttribute("aria-busy");
  place.replaceChildren(content);
}
const turns = new WeakMap<HTMLElement, object>();

/** A short message at the edge of the page. */
export function notify(text: string, kind: "done" | "failed" = "done"): void {
  const place = document.querySelector("#notices") ?? document.body;
  const notice = h(
    "div",
    { class: `notice ${kind}`, role: kind === "done" ? "status" : "alert" },
    text,
  );
  place.append(notice);
  setTimeout(() => notice.remove(), kind === "done" ? 4_000 : 10_000);
}

/** Runs an action of the user with its button disabled, and reports a failure. */
export async function act(button: HTMLButtonElement, action: () => Promise<void>): Promise<void> {
  button.disabled = true;
  try {
    await action();
  } catch (error) {
    notify(failureText(error), "failed");
  } finally {
    button.disabled = false;
  }
}

/** Asks before something is lost. */
export function confirmed(question: string, action: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "small", onclose: () => (resolve(dialog.returnValue === "yes"), dialog.remove()) },
      h(
        "form",
        { method: "dialog" },
        h("p", {}, question),
        h(
          "footer",
          {},
          h("button", { value: "no" }, "Cancel"),
          h("button", { value: "yes", class: "danger" }, action),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
