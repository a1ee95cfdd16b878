import { dirname, join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { repository } from "../architecture/source.ts";

/** A test as its file writes it: the names of its blocks and its own, and the code it runs. */
export interface NamedTest {
  /** `commands/env.test.ts > env list > masks secrets`, with the placeholders of `each`. */
  readonly name: string;
  /** The test, its table, and everything in the file that they refer to. */
  readonly code: string;
}

/** Every test of the repository by its name. */
export async function namedTests(): Promise<ReadonlyMap<string, NamedTest>> {
  const folder = join(repository, "test");
  const found = new Map<string, NamedTest>();
  const paths = await Array.fromAsync(new Bun.Glob("**/*.test.{ts,tsx}").scan({ cwd: folder }));
  for (const path of paths.toSorted()) {
    const text = await Bun.file(join(folder, path)).text();
    for (const test of testsOf(path, text)) {
      found.set(test.name, test);
      // A noun's tests are one file or a folder of files, whose name then stands for them.
      const ofFolder = `${dirname(path)}.test.ts${test.name.slice(path.length)}`;
      if (!found.has(ofFolder)) found.set(ofFolder, test);
    }
  }
  return found;
}

type Span = readonly [start: number, end: number];

/** The tests of one file; `path` begins their names. */
export function testsOf(path: string, text: string): readonly NamedTest[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? "is not readable"}`);
  const blocks: { readonly span: Span; readonly title: string; readonly isTest: boolean }[] = [];
  const declared = new Map<string, Span[]>();
  const used: { readonly name: string; readonly at: number }[] = [];
  const declare = (name: string, start: number, end: number): void => {
    declared.set(name, [...(declared.get(name) ?? []), [start, end]]);
  };
  new Visitor({
    CallExpression({ callee, arguments: given, start, end }) {
      const kind = /^(?:test|it|describe)\b/.exec(text.slice(callee.start, callee.end))?.[0];
      const [title, ...others] = given;
      if (kind === undefined || title === undefined || others.length === 0) return;
      const isText = title.type === "Literal" || title.type === "TemplateLiteral";
      if (!isText) return;
      const words = text.slice(title.start + 1, title.end - 1).replaceAll(/\\(.)/g, "$1");
      blocks.push({ span: [start, end], title: words, isTest: kind !== "describe" });
    },
    VariableDeclarator({ id, start, end }) {
      if (id.type === "Identifier") declare(id.name, start, end);
    },
    FunctionDeclaration({ id, start, end }) {
      if (id !== null) declare(id.name, start, end);
    },
    Identifier({ name, start }) {
      used.push({ name, at: start });
    },
  }).visit(program);
  const within = (at: number, [start, end]: Span): boolean => at >= start && at < end;
  const tests = blocks.filter(({ isTest }) => isTest);
  // A name inside one test says nothing about the same name in another one.
  const shared = (name: string): readonly Span[] =>
    (declared.get(name) ?? []).filter(([start]) => !tests.some(({ span }) => within(start, span)));
  return tests.map(({ span }) => {
    const around = blocks.filter((block) => within(span[0], block.span));
    const spans: Span[] = [span];
    const seen = new Set<string>();
    for (const each of spans) {
      for (const { name, at } of used) {
        if (seen.has(name) || !within(at, each)) continue;
        seen.add(name);
        spans.push(...shared(name));
      }
    }
    return {
      name: [path, ...around.map(({ title }) => title)].join(" > "),
      code: spans.map(([start, end]) => text.slice(start, end)).join("\n"),
    };
  });
}
