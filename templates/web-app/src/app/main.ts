import { createClient, memberships, type Client, type Membership } from "svc";
import { showChat } from "./chat.ts";
import { showDocuments } from "./documents.ts";
import { emptyState, failureText, fill, h, notify } from "./element.ts";
import { showRecords } from "./records.ts";
import { finishSignIn, isSignedIn, signIn, signOut, token } from "./session.ts";

const places = { records: "Records", documents: "Documents", chat: "Chat" } as const;
const name = document.body.dataset["name"] ?? "";
const everywhere = createClient({ baseUrl: location.origin, token });
const content = h("main", { id: "content", tabindex: -1 });

async function start(): Promise<void> {
  addEventListener("signed-out", () => showWelcome("Your sign-in has ended."));
  try {
    await finishSignIn();
  } catch (error) {
    return showWelcome(failureText(error));
  }
  if (!isSignedIn()) return showWelcome();
  document.body.replaceChildren(h("div", { class: "page" }, content), notices());
  await fill(content, async () => {
    const [me, workspaces] = await Promise.all([everywhere.identity.me(), memberships(everywhere)]);
    if (workspaces.length > 0)
      queueMicrotask(() => showApp(me.displayName ?? me.email, workspaces));
    return emptyState(
      "No workspace yet",
      "Your account is a member of no workspace. An administrator can invite you.",
      h("button", { onclick: () => void signOut() }, "Sign out"),
    );
  });
}

function notices(): HTMLElement {
  return h("div", { id: "notices", "aria-live": "polite" });
}

function brand(): HTMLElement {
  const icon = h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 });
  return h("a", { class: "brand", href: "/" }, icon, name);
}

function showWelcome(failure?: string): void {
  const button = h("button", { class: "primary", onclick: () => void begin() }, "Sign in");
  const begin = async () => {
    button.disabled = true;
    await signIn().catch((error: unknown) => notify(failureText(error), "failed"));
    button.disabled = false;
  };
  const card = h(
    "main",
    { class: "welcome" },
    h("img", { src: "/icon.svg", alt: "", width: 56, height: 56 }),
    h("h1", {}, name),
    h("p", {}, "Records, documents and answers of your workspaces."),
    failure !== undefined && h("p", { role: "alert", class: "failure" }, failure),
    button,
  );
  document.body.replaceChildren(card, notices());
}

function showApp(user: string | undefined, workspaces: readonly Membership[]): void {
  const stored = localStorage.getItem("workspace");
  const choice = h(
    "select",
    { "aria-label": "Workspace", onchange: () => open() },
    ...workspaces.map(({ id, displayName, slug }) =>
      h("option", { value: id, selected: id === stored }, displayName ?? slug),
    ),
  );
  const links = Object.entries(places).map(([place, title]) =>
    h("a", { href: `#/${place}` }, title),
  );
  const open = () => {
    localStorage.setItem("workspace", choice.value);
    const [, place = "records", ...words] = location.hash.split("/");
    for (const link of links) {
      const isHere = link.getAttribute("href") === `#/${place}`;
      if (isHere) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    showPlace(place, everywhere.forTenant(choice.value), words.map(decodeURIComponent));
  };
  const header = h(
    "header",
    { class: "bar" },
    brand(),
    h("nav", { "aria-label": "Places" }, ...links),
    choice,
    h("span", { class: "user", title: user }, user ?? ""),
    h("button", { class: "quiet", onclick: () => void signOut() }, "Sign out"),
  );
  document.body.replaceChildren(
    h("a", { class: "skip", href: "#content", onclick: skip }, "Skip to the content"),
    header,
    h("div", { class: "page" }, content),
    notices(),
  );
  addEventListener("hashchange", open);
  open();
}

function skip(event: Event): void {
  event.preventDefault();
  content.focus();
}

function showPlace(place: string, client: Client, words: readonly string[]): void {
  if (place === "documents") return showDocuments(content, client);
  if (place === "chat") return showChat(content, client);
  showRecords(content, client, words[0]);
}

void start();
