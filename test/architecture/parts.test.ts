import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { holds, offences, product, sources } from "./rules.ts";
import { codeColumns, layerOf } from "./source.ts";

/**
 * The parts of the server that each part may know. `platform.ts` belongs to platform; `serve.ts` is
 * the part serve. A domain may know another domain's `service.ts` only.
 */
const kits = ["kit", "http", "database", "work", "text", "models"];
const parts = ["files", "jobs", "schema", "search-index", "fields"];
const serverArrows: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  http: ["kit", "work"],
  database: ["kit"],
  work: ["kit", "database"],
  text: ["kit"],
  models: ["kit"],
  files: kits,
  jobs: kits,
  schema: kits,
  "search-index": kits,
  fields: [],
  domains: [...kits, ...parts],
  platform: [...kits, ...parts, "domains"],
  serve: [...kits, ...parts, "domains", "platform", "sample-data"],
  "sample-data": [],
};
/**
 * The parts of the dashboard that each part may know: its folders, and the files of ui itself by
 * their names. Every other folder is a noun; `nouns` and `app` put all of them together.
 */
const uiArrows: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  terminal: [],
  "paste-guard": [],
  "input-tap": ["kit", "paste-guard"],
  "tidy-memory": [],
  "spoken-terminal": ["kit", "terminal"],
  surface: ["kit", "shell", "terminal"],
  "plain-output": ["kit"],
  "terminal-answers": ["kit", "terminal"],
  screen: ["kit", "terminal", "input-tap", "tidy-memory", "plain-output", "terminal-answers"],
  shell: ["kit", "surface", "screen"],
};
const uiNounArrows = ["kit", "shell", "surface"];
const uiRoots = ["nouns", "app"];
/** The folders of ui/kit in rows: each knows the rows before its own. */
const kitRows = [
  ["state"],
  ["answers", "keys", "theme"],
  ["cursor", "mouse", "spoken"],
  ["text"],
  ["files", "input", "panes", "table"],
  ["data-fields", "filter", "forms", "lists"],
  ["dialogs", "map", "picture", "places"],
];
const crowdedLimit = 15;
const functionLineLimit = 70;
const columnLimit = 100;

/** The part of the server that a file belongs to, as `http` or `domains/chat`. */
function serverPart(path: string): string | undefined {
  const [, layer, first = "", second = ""] = path.split("/");
  if (layer !== "server" || !path.startsWith("src/")) return undefined;
  if (first === "domains" && !second.endsWith(".ts")) return `domains/${second}`;
  if (first === "platform.ts") return "platform";
  return first.endsWith(".ts") ? "serve" : first;
}

/** The folder of ui that a file belongs to, or the name of a file of ui itself. */
function uiPart(path: string): string | undefined {
  const [top, first = ""] = path.split("/");
  return top === "ui" ? first.replace(/\.tsx?$/, "") : undefined;
}

/** The row of the folder of ui/kit that a file belongs to; -1 for a folder without a row. */
function kitRow(path: string): number {
  return kitRows.findIndex((row) => row.includes(path.split("/")[2] ?? ""));
}

/**
 * The noun of a command's file, i.e. the first word that the user types. The kit is shared; `svc`
 * has the files that put the commands together.
 */
function commandPart(path: string): string | undefined {
  const [, layer, first = "", second] = path.split("/");
  if (layer !== "commands" || !path.startsWith("src/")) return undefined;
  return second !== undefined || commandFiles.has(path) ? first.replace(/\.ts$/, "") : "svc";
}

const commandFiles = new Set(
  product
    .filter(({ path, text }) => path.startsWith("src/commands/") && /^export default /m.test(text))
    .map(({ path }) => path),
);

/** The groups of nodes that reach each other (Tarjan's algorithm), each as one line. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (node: string): number => {
    const index = order.size;
    let low = index;
    order.set(node, index);
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (path.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low === index) {
      const group = path.splice(path.indexOf(node));
      if (group.length > 1) found.push(group.toSorted().join(" "));
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

describe("inside a layer", () => {
  test("the server's parts know only what their arrow points to", () => {
    const found = offences(product, ({ path, imports }) => {
      const part = serverPart(path);
      if (part === undefined) return [];
      return imports.flatMap(({ target }) => {
        const other = target === undefined ? undefined : serverPart(target);
        if (target === undefined || other === undefined || other === part) return [];
        const isFrontDoor = /^src\/server\/domains\/(?:[\w-]+\/service|[\w-]+)\.ts$/.test(target);
        const [kind = ""] = part.split("/");
        const [otherKind = ""] = other.split("/");
        if (kind === "domains" && otherKind === "domains") return isFrontDoor ? [] : [target];
        return serverArrows[kind]?.includes(otherKind) === true ? [] : [target];
      });
    });
    holds("parts of the server know only what their arrow points to", found);
  });

  test("the server's services know no HTTP", () => {
    const translators = /(?:^|[/-])(?:routes|pages)\.ts$|\/pages\//;
    const services = product.filter(
      ({ path }) => path.startsWith("src/server/domains/") && !translators.test(path),
    );
    expect(services.length).toBeGreaterThan(150);
    const found = offences(services, ({ imports }) =>
      imports.flatMap(({ target = "" }) => (target.startsWith("src/server/http/") ? [target] : [])),
    );
    holds("only routes and pages of a domain know HTTP", found);
  });

  test("a domain's service hands out nothing of its store", () => {
    const services = product.filter(({ path }) => /domains\/[\w-]+\/service\.ts$/.test(path));
    const found = offences(services, ({ text }) =>
      [...text.matchAll(/^export (?:type )?\{[^}]*\} from "([^"]+)"/gm)].flatMap(([, from = ""]) =>
        /(?:^|[/-])store(?:\.ts$|\/)/.test(from) ? [from] : [],
      ),
    );
    holds("a service re-exports nothing of its store", found);
  });

  test("the dashboard's nouns meet only through the router", () => {
    const found = offences(product, ({ path, imports }) => {
      const part = uiPart(path);
      if (part === undefined || uiRoots.includes(part)) return [];
      const may = uiArrows[part] ?? uiNounArrows;
      return imports.flatMap(({ target }) => {
        const other = target === undefined ? undefined : uiPart(target);
        return target === undefined || other === undefined || other === part || may.includes(other)
          ? []
          : [target];
      });
    });
    holds("nouns of the dashboard do not know each other", found);
  });

  test("a folder of the dashboard's kit knows only those before it", () => {
    const kit = product.filter(({ path }) => path.startsWith("ui/kit/"));
    const found = offences(kit, ({ path, imports }) => {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      const row = kitRow(path);
      if (row === -1) return ["its folder has no row"];
      return imports.flatMap(({ target = "" }) =>
        target.startsWith("ui/kit/") && !target.startsWith(folder) && kitRow(target) >= row
          ? [target]
          : [],
      );
    });
    holds("folders of the kit know only those before them", found);
  });

  test("a command knows its own noun and the kit, and the kit knows no noun", () => {
    const found = offences(product, ({ path, imports }) => {
      const part = commandPart(path);
      if (part === undefined || part === "svc") return [];
      return imports.flatMap(({ target }) => {
        const other = target === undefined ? undefined : commandPart(target);
        const isKnown = other === undefined || other === part || other === "kit";
        return target === undefined || isKnown ? [] : [target];
      });
    });
    holds("nouns of commands do not know each other", found);
  });

  test("a command is loaded by its path, and imported nowhere", () => {
    const found = offences(
      product.filter(({ path }) => path !== "src/commands/command-files.ts"),
      ({ imports }) =>
        imports.flatMap(({ target = "" }) => (commandFiles.has(target) ? [target] : [])),
    );
    holds("no file imports a command", found);
  });

  test("no imports form a circle, types included", () => {
    const graph = new Map(
      product.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]),
    );
    expect(circlesOf(graph)).toEqual([]);
    expect(
      circlesOf(
        new Map([
          ["a", ["b"]],
          ["b", ["c"]],
          ["c", ["b"]],
        ]),
      ),
    ).toEqual(["b c"]);
  });

  test(`a folder has at most ${crowdedLimit} files, where no user types its path`, () => {
    const folders = Map.groupBy(
      product.filter(({ path }) => layerOf(path) !== "commands"),
      ({ path }) => dirname(path),
    );
    const found = [...folders]
      .filter(([, files]) => files.length > crowdedLimit)
      .map(([path, files]) => ({ path, what: `${files.length} files` }));
    holds("folders are not crowded", found);
  });

  test(`functions have at most ${functionLineLimit} lines`, () => {
    const found = offences(product, ({ functions }) =>
      functions
        .filter(({ lineCount }) => lineCount > functionLineLimit)
        .map(({ line, lineCount }) => `${lineCount} lines at line ${line}`),
    );
    holds("functions are short", found);
  });

  test(`lines have at most ${columnLimit} columns without the texts of literals`, () => {
    const found = offences(sources, (source) =>
      codeColumns(source).flatMap((columns, index) =>
        columns > columnLimit ? [`${columns} columns at line ${index + 1}`] : [],
      ),
    );
    holds("lines are short", found);
  });

  test("text of the dashboard is drawn in one place, which cleans it", () => {
    const found = offences(
      product.filter(({ path }) => path !== "ui/kit/theme/text.tsx"),
      ({ text }) => text.match(/import \{[^}]*\bText\b[^}]*\} from "ink"/g) ?? [],
    );
    holds("only ui/kit/theme/text.tsx draws Ink's text", found);
  });
});
