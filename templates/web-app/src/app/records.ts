import type { Client, ObjectType, Resource } from "svc";
import { editRecord } from "./editor.ts";
import { emptyState, fill, h } from "./element.ts";
import { columnsOf, fieldsOf, textOf, type Field } from "./fields.ts";

const pageSize = 25;

/** The Object Types of a workspace, and the records of one. */
export function showRecords(place: HTMLElement, client: Client, slug: string | undefined): void {
  void fill(place, async () => {
    const { items: all } = await client.objectTypes.list({ query: { limit: 100 } });
    const items = all.toSorted((left, right) => rankOf(left) - rankOf(right));
    const type = items.find((each) => each.slug === slug) ?? items[0];
    if (type === undefined) {
      return emptyState(
        "No Object Types yet",
        "An Object Type defines records. src/eai.config/object-types.ts has the first one: " +
          "publish it with `svc types seed`.",
      );
    }
    const links = items.map((each) =>
      h(
        "a",
        {
          href: `#/records/${encodeURIComponent(each.slug)}`,
          "aria-current": each === type ? "page" : undefined,
        },
        each.displayName ?? each.name,
      ),
    );
    const side = h("nav", { class: "side", "aria-label": "Object Types" }, ...links);
    return h("div", { class: "columns" }, side, recordList(client, type));
  });
}

/** What records the platform itself reads comes after those of the workspace. */
function rankOf({ slug }: ObjectType): number {
  return /^(?:shared|tenant-vertical|vertical-product)-/.test(slug) ? 1 : 0;
}

function recordList(client: Client, type: ObjectType): HTMLElement {
  const fields = fieldsOf(type);
  const title = type.displayName ?? type.name;
  const records = client.useResources(type.slug);
  const list = h("div", { class: "list" });
  const show = (cursor?: string) =>
    void fill(list, async () => {
      const query = search.value.trim();
      if (query !== "") {
        const { results } = await records.search(query, { limit: pageSize });
        const found = results.map(({ id, data }) => ({ id, data }));
        return found.length > 0
          ? table(found, fields, open)
          : emptyState("Nothing found", `No record matches “${query}”.`);
      }
      const page = await records.list({
        limit: pageSize,
        ...(cursor === undefined ? {} : { cursor }),
      });
      if (page.items.length === 0 && cursor === undefined) {
        const add = h("button", { class: "primary", onclick: () => open() }, "Add the first one");
        return emptyState(`No ${title} yet`, "Records appear here once they are added.", add);
      }
      const next = page.nextCursor ?? undefined;
      const footer = h(
        "footer",
        { class: "pager" },
        cursor !== undefined && h("button", { onclick: () => show() }, "First page"),
        page.hasNextPage &&
          next !== undefined &&
          h("button", { onclick: () => show(next) }, "Next page"),
      );
      return h("div", {}, table(page.items, fields, open), footer);
    });
  const open = (id?: string) =>
    void editRecord({ client, type, fields, id, changed: () => show() });
  const search = h("input", {
    type: "search",
    placeholder: "Search",
    "aria-label": `Search ${title}`,
  });
  const form = h(
    "form",
    { role: "search", onsubmit: (event) => (event.preventDefault(), show()) },
    search,
  );
  search.addEventListener("search", () => show());
  show();
  const add = h("button", { class: "primary", onclick: () => open() }, "New");
  const heading = h("div", { class: "heading" }, h("h1", {}, title), form, add);
  return h(
    "section",
    {},
    heading,
    type.description !== undefined && h("p", {}, type.description),
    list,
  );
}

type Row = Pick<Resource, "id" | "data">;

function table(
  rows: readonly Row[],
  fields: readonly Field[],
  open: (id: string) => void,
): HTMLElement {
  const columns = columnsOf(fields);
  const head = h("tr", {}, ...columns.map(({ label }) => h("th", { scope: "col" }, label)));
  const body = rows.map(({ id, data }) => {
    const cells = columns.map((field, index) => {
      const text = textOf(data[field.name], field.type);
      const cell =
        field.type === "enum" && text !== "" ? h("span", { class: "badge" }, text) : text;
      // The first cell is a button, so that the keyboard opens the record too.
      const content = index === 0 ? h("button", { class: "link" }, text || "(empty)") : cell;
      return h("td", { "data-label": field.label }, content);
    });
    return h("tr", { onclick: () => open(id) }, ...cells);
  });
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...body));
}
