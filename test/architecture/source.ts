import { readdir } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** The root folder of the checkout. */
export const repository: string = resolve(import.meta.dirname, "../..");

/** One import, re-export, dynamic import or `import("…").Type` of a file. */
export interface ImportEdge {
  readonly specifier: string;
  readonly kind: "static" | "type" | "dynamic";
  /** The file inside the checkout that it names, from the root; undefined for a package. */
  readonly target: string | undefined;
}

/** A TypeScript file of the checkout, read and parsed. `path` is from the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lineCount: number;
  readonly imports: readonly ImportEdge[];
  /** True when it has nothing but `export … from`. */
  readonly onlyReexports: boolean;
  readonly reexportsEverything: boolean;
  /** Its own values that others may import, such as `docsUploadCommand`; types are left out. */
  readonly exportedValues: readonly string[];
  /** Constructs that silence the compiler: `any`, `as unknown as`. */
  readonly silencers: readonly string[];
  /** Where the texts of string, template and pattern literals are, from and to. */
  readonly literals: readonly { readonly start: number; readonly end: number }[];
  /** Every function with a body: its first line, from 1, and how many lines it has. */
  readonly functions: readonly { readonly line: number; readonly lineCount: number }[];
}

const foreignFolders = new Set(["node_modules", "dist", "coverage", ".git", ".cache"]);
const textExtensions = new Set([
  ".ts",
  ".tsx",
  ".mjs",
  ".json",
  ".md",
  ".toml",
  ".yml",
  ".yaml",
  ".css",
  "",
]);

/** Every file of the checkout that is ours, from the root, in order. */
export async function listFiles(): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(repository, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (foreignFolders.has(entry.name)) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  await visit(".");
  return found.toSorted();
}

/** True for what a person wrote as text; test data of other kinds is not read. */
export function isText(path: string): boolean {
  return textExtensions.has(extname(path)) && !path.endsWith("bun.lock");
}

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** The layer that a file belongs to, e.g. `server`; undefined outside src and ui. */
export function layerOf(path: string): string | undefined {
  if (path === "src/main.ts") return "main";
  const [top, second] = path.split("/");
  if (top === "ui") return "ui";
  return top === "src" ? second : undefined;
}

export async function readSource(path: string): Promise<SourceFile> {
  const text = await Bun.file(join(repository, path)).text();
  const { module, program, errors } = parseSync(path, text);
  const [fault] = errors;
  if (fault !== undefined) throw new Error(`${path} can't be parsed: ${fault.message}`);
  const imports: ImportEdge[] = [];
  const add = (specifier: string, kind: ImportEdge["kind"]): void => {
    imports.push({ specifier, kind, target: resolveSpecifier(path, specifier) });
  };
  for (const { entries, moduleRequest } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((entry) => entry.isType);
    add(moduleRequest.value, isType ? "type" : "static");
  }
  let reexportsEverything = false;
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, isType } of entries) {
      if (moduleRequest === null) continue;
      add(moduleRequest.value, isType ? "type" : "static");
      if (importName.kind.startsWith("All")) reexportsEverything = true;
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    add(text.slice(moduleRequest.start + 1, moduleRequest.end - 1), "dynamic");
  }
  const silencers: string[] = [];
  const functions: { line: number; lineCount: number }[] = [];
  const measure = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    const lineCount = text.slice(start, end).split("\n").length;
    functions.push({ line: text.slice(0, start).split("\n").length, lineCount });
  };
  const literals: { start: number; end: number }[] = [];
  new Visitor({
    Literal: (literal) => {
      if (typeof literal.value === "string" || "regex" in literal) literals.push(literal);
    },
    TemplateElement: (element) => literals.push(element),
    JSXText: (jsxText) => literals.push(jsxText),
    TSAnyKeyword: () => silencers.push("any"),
    TSAsExpression: ({ expression }) => {
      if (expression.type === "TSAsExpression" && !isConst(expression.typeAnnotation)) {
        silencers.push("a cast of a cast");
      }
    },
    TSImportType: ({ source }) => add(source.value, "type"),
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(program);
  return {
    path,
    text,
    lineCount: text.split("\n").length - 1,
    imports,
    reexportsEverything,
    onlyReexports:
      program.body.length > 0 &&
      program.body.every(
        (statement) =>
          statement.type === "ExportAllDeclaration" ||
          (statement.type === "ExportNamedDeclaration" && statement.source !== null),
      ),
    exportedValues: module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ exportName, moduleRequest, isType }) =>
        moduleRequest === null && !isType && exportName.name !== null ? [exportName.name] : [],
      ),
    ),
    silencers,
    literals,
    functions,
  };
}

/** The length of each line without the texts of literals, which the formatter does not wrap. */
export function codeColumns({ text, literals }: SourceFile): number[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const end = start + line.length;
    const inLiterals = literals.reduce(
      (sum, literal) =>
        sum + Math.max(0, Math.min(literal.end, end) - Math.max(literal.start, start)),
      0,
    );
    start = end + 1;
    return line.length - inLiterals;
  });
}

function isConst(type: { readonly type: string; readonly typeName?: unknown }): boolean {
  const { typeName } = type;
  if (typeof typeName !== "object" || typeName === null || !("name" in typeName)) return false;
  return typeName.name === "const";
}

function resolveSpecifier(path: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) {
    return relative(repository, resolve(repository, dirname(path), specifier));
  }
  if (!specifier.startsWith("#")) return undefined;
  const [layer = "", ...rest] = specifier.slice(1).split("/");
  const folder = layer === "ui" || layer === "test" ? layer : join("src", layer);
  return join(folder, ...rest);
}
