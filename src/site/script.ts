/** The script of the site: search and forms. It adds text only, never markup. */
export const siteScript = `"use strict";
const root = document.body.dataset.root;
const make = (name, text, attributes = {}) => {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

// On a narrow screen the list of pages starts closed.
const pages = document.querySelector(".side details");
const narrow = matchMedia("(max-width: 50rem)");
const fold = () => { pages.open = !narrow.matches; };
narrow.addEventListener("change", fold);
fold();

const box = document.querySelector(".search");
const input = document.getElementById("site-search");
const found = document.getElementById("site-found");
const results = document.getElementById("site-results");
const count = document.getElementById("site-count");
box.hidden = false;
// A script element also works where the pages are files.
let loaded;
const load = () => (loaded ??= new Promise((resolve, reject) => {
  const script = make("script", "", { src: root + "search.js" });
  script.addEventListener("load", resolve);
  script.addEventListener("error", () => { loaded = undefined; reject(new Error("no search")); });
  document.head.append(script);
}));
const marked = (text, words) => {
  const found = words.length === 0 ? null : new RegExp("(" + words.map((word) =>
    word.replace(/[^\\p{L}\\d]/gu, "\\\\$&")).join("|") + ")", "giu");
  const parts = found === null ? [text] : text.split(found);
  return parts.map((part, index) => (index % 2 === 1 ? make("mark", part) : part));
};
const search = async () => {
  const query = input.value.trim();
  found.hidden = query === "";
  if (query === "") return;
  try { await load(); } catch { count.textContent = "The search could not be loaded"; return; }
  if (query !== input.value.trim()) return;
  const hits = svcFind(query);
  count.textContent = hits.length === 0 ? "Nothing found" : hits.length + " found";
  results.replaceChildren(...hits.slice(0, 20).map(({ title, path, kind, excerpt, words }) => {
    const address = path === "" || path.includes("#") ? path : path + "/";
    const link = make("a", "", { href: root + address });
    const heading = make("strong");
    heading.append(...marked(title, words));
    const quote = make("span");
    quote.append(...marked(excerpt, words));
    link.append(heading, quote, make("small", kind));
    const item = make("li");
    item.append(link);
    return item;
  }));
};
input.addEventListener("focus", () => void load().catch(() => {}));
input.addEventListener("input", search);
document.addEventListener("keydown", (event) => {
  const typing = /^(?:INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    input.focus();
  } else if (event.key === "Escape" && box.contains(event.target)) {
    input.value = "";
    found.hidden = true;
    input.focus();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && box.contains(event.target)) {
    const stops = [input, ...results.querySelectorAll("a")];
    const next = stops[stops.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) { event.preventDefault(); next.focus(); }
  }
});
document.addEventListener("click", ({ target }) => { if (!box.contains(target)) found.hidden = true; });

// The token stays in this tab, and goes to this origin only.
const forms = document.querySelectorAll(".try form");
const kept = (name) => sessionStorage.getItem("svc-" + name) ?? "";
if (forms.length > 0) {
  const card = make("div", "", { class: "sign-in" });
  for (const [name, label, type] of [
    ["token", "Access token, for the forms below", "password"],
    ["workspace", "Workspace id", "text"],
  ]) {
    const field = make("div");
    const entry = make("input", "", { id: "try-" + name, type, autocomplete: "off" });
    entry.value = kept(name);
    entry.addEventListener("input", () => {
      sessionStorage.setItem("svc-" + name, entry.value.trim());
      if (name === "workspace") fillWorkspace();
    });
    field.append(make("label", label, { for: "try-" + name }), entry);
    card.append(field);
  }
  document.querySelector(".lead").after(card);
  fillWorkspace();
  for (const form of forms) {
    form.parentElement.hidden = false;
    form.addEventListener("submit", (event) => { event.preventDefault(); send(form); });
  }
}
function fillWorkspace() {
  const names = '[data-name="tenantId"], [data-name="parentId"], [data-name="X-Tenant-Id"]';
  for (const field of document.querySelectorAll(names)) field.value = kept("workspace");
}
const shownLength = 100000;
const readLength = 4000000;
const fileName = (headers) => {
  const [, encoded] = /filename\\*=UTF-8''([^;]+)/i.exec(headers.get("content-disposition") ?? "") ?? [];
  return encoded === undefined ? "answer" : decodeURIComponent(encoded);
};
async function send(form) {
  const answer = form.querySelector(".answer");
  const output = form.querySelector(".output");
  const { method, path, type } = form.dataset;
  const headers = new Headers();
  if (kept("token")) headers.set("authorization", "Bearer " + kept("token"));
  const query = new URLSearchParams();
  let address = path;
  let body;
  for (const field of form.querySelectorAll("[data-place]")) {
    const { place, name } = field.dataset;
    const value = place === "file" ? field.files[0] : field.value.trim();
    if (!value) continue;
    if (place === "path") address = address.replace("{" + name + "}", encodeURIComponent(value));
    else if (place === "query") query.append(name, value);
    else if (place === "header") headers.set(name, value);
    else if (place === "body") { body = value; headers.set("content-type", "application/json"); }
    else if (place === "form") {
      body = new FormData();
      for (const line of value.split("\\n")) {
        const at = line.indexOf("=");
        if (at > 0) body.append(line.slice(0, at).trim(), line.slice(at + 1).trim());
      }
    } else if (type === "multipart/form-data") { body ??= new FormData(); body.append("files", value); }
    else { body = value; headers.set("content-type", "application/octet-stream"); }
  }
  answer.textContent = "Sending…";
  output.hidden = true;
  try {
    const search = query.toString();
    const response = await fetch(address + (search && "?" + search), { method, headers, body });
    const status = response.status + " " + response.statusText;
    const media = response.headers.get("content-type") ?? "";
    if (media !== "" && !/^text\\/|[/+](?:json|xml)\\b/.test(media)) {
      URL.revokeObjectURL(form.dataset.file);
      const file = await response.blob();
      form.dataset.file = URL.createObjectURL(file);
      const words = file.size.toLocaleString("en") + " bytes of " + file.type;
      const attributes = { href: form.dataset.file, download: fileName(response.headers) };
      answer.replaceChildren(status + ", ", make("a", words, attributes));
      return;
    }
    answer.textContent = status;
    let text = "";
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length > readLength) {
        await reader.cancel();
        break;
      }
      // A stream is shown while it runs.
      if (text.length > shownLength) continue;
      output.textContent = text;
      output.hidden = false;
    }
    try { text = JSON.stringify(JSON.parse(text), null, 2); } catch {}
    output.textContent = text.slice(0, shownLength) || "(empty)";
    output.hidden = false;
  } catch {
    answer.textContent = "No answer came: is the platform running?";
  }
}
`;
