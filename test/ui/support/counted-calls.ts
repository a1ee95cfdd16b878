/**
 * Counts the calls of the functions of ui and src in a program, before which Bun loads this file.
 * The socket that `COUNTS_AT` names answers a request with the calls since the previous one.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { plugin } from "bun";
// Bun evaluates a macro only in a file that is loaded before the plugin.
import "#contract/plain/further-requests.ts";
import "#contract/plain/further-shapes.ts";
import "#contract/plain/route-table.ts";
import { parseSync, Visitor, type Function } from "oxc-parser";

declare global {
  var countCall: (id: number) => void;
}

const root = join(import.meta.dir, "../../..");
/** The functions by their number, e.g. `ui/app.tsx:30`. */
const names: string[] = [];
const calls = new Map<number, number>();

globalThis.countCall = (id) => {
  calls.set(id, (calls.get(id) ?? 0) + 1);
};

/** The source with a call of `countCall` at the start of each function. */
function counted(path: string, source: string): string {
  const inserts: { readonly at: number; readonly text: string }[] = [];
  const countedAt = (start: number): string => {
    const line = source.slice(0, start).split("\n").length;
    return `globalThis.countCall?.(${names.push(`${relative(root, path)}:${line}`) - 1})`;
  };
  const enter = ({ body, start }: Function): void => {
    if (body !== null) inserts.push({ at: body.start + 1, text: `${countedAt(start)};` });
  };
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression({ body, start }) {
      if (body.type === "BlockStatement") {
        inserts.push({ at: body.start + 1, text: `${countedAt(start)};` });
      } else {
        inserts.push({ at: body.start, text: `(${countedAt(start)},` });
        inserts.push({ at: body.end, text: ")" });
      }
    },
  }).visit(parseSync(path, source).program);
  let [text, from] = ["", 0];
  for (const { at, text: insert } of inserts.toSorted((a, b) => a.at - b.at)) {
    text += source.slice(from, at) + insert;
    from = at;
  }
  return text + source.slice(from);
}

plugin({
  name: "counted calls",
  setup(build) {
    const filter = new RegExp(
      `^${RegExp.escape(root)}/(?:ui|src)/(?!server/|contract/).*\\.tsx?$`,
      "v",
    );
    build.onLoad({ filter }, ({ path }) => ({
      contents: counted(path, readFileSync(path, "utf8")),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
});

const socket = process.env["COUNTS_AT"];
if (socket !== undefined) {
  Bun.serve({
    unix: socket,
    fetch() {
      const since = Array.from(calls, ([id, count]) => [names[id], count]);
      calls.clear();
      return Response.json(Object.fromEntries(since));
    },
  }).unref();
}
