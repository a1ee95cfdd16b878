import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { zstandard } from "./kept-compression.ts";

/**
 * Parts of libraries that the product never uses, and modules of the runtime that rare calls need.
 * Each byte of source is four bytes in the executable, because its bytecode and its strings are
 * added, and the bytecode of those modules of the runtime that are imported statically.
 */

/**
 * Loaded when a member is first used: by a fetch of a foreign URL, and by the terminal's size where
 * the runtime does not know it.
 */
const rarelyUsed = ["http", "https", "net", "dns", "dns/promises", "child_process"] as const;
/**
 * Every file that imports them. The bundler may or may not take a plain import in another file for
 * one of these, so that its output would differ between builds.
 */
const rarelyUsingFiles = [
  "outbound/checked-address.ts",
  "outbound/fetch-file.ts",
  "outbound/post-once.ts",
  "outbound/public-address.ts",
  "factors/site.ts",
  "http/trusted-proxies.ts",
  "platform/listen.ts",
  "terminal-size/index.js",
];
export const rarelyUsedIn: RegExp = new RegExp(`/(?:${rarelyUsingFiles.join("|")})$`);
/** An import or a require of one of them. */
export const rarelyUsedImport: RegExp = new RegExp(
  `(from |require\\()(["'])(?:node:)?(${rarelyUsed.join("|")})\\2`,
  "g",
);

/** Libraries that make a segmenter when they are loaded: the first one takes 3 ms. */
const segmentingFiles =
  /\/(?:ink\/build\/line-update|string-width\/index|wrap-ansi\/index|slice-ansi\/tokenize-ansi|ansi-tokenize\/build\/tokenize)\.js$/;
const segmenterMade = /new Intl\.Segmenter\(([^)]*)\)/g;

/** The source with segmenters that are made at their first use. */
export function laterSegmenters(source: string): string {
  return source.replace(
    segmenterMade,
    (made) => `{ own: undefined, segment(text) { return (this.own ??= ${made}).segment(text); } }`,
  );
}

/** The drawing library's view of a stack, which the dashboard never draws: it reports the fault. */
const stackView = /\/ink\/build\/components\/ErrorOverview\.js$/;

/** It checks the type of a callback, which is always right. */
const assertImport = /require\((["'])assert\1\)/g;

/** The only spinner that the dashboard draws. */
const spinner = "toggle";

/** The prefix of a file of the build that is not on the disk. */
const yogaFile = "yoga.wasm.zst";

/** The tables of East Asian encodings, each of which is read for a text in it. */
const encodingTables = /\/iconv-lite\/encodings\/tables\/([\w-]+)\.json$/;
const encodings = /\/iconv-lite\/encodings\/dbcs-data\.js$/;
const tableImport = /require\((["'])(\.\/tables\/[\w-]+\.json)\1\)/g;
const encodingFile = (table: string): string => `encoding-${table}.zst`;

/** Messages in other languages than English, which nothing selects. */
const otherLanguages = /\/zod\/v4\/locales\/index\.js$/;
/** Compiled schemas, which nothing makes. */
const unusedParts = /\/zod\/v4\/core\/compile\.js$/;
/** The library makes no schemas from JSON Schema either; the platform does, for declared routes. */
const unusedInLibrary = /\/zod\/v4\/(?:core\/compile|classic\/from-json-schema)\.js$/;

/** Leaves out the parts of the schema library that a dynamic import of it would bring along. */
export const fewerParts: Bun.BunPlugin = {
  name: "fewer parts",
  setup: (build) => leaveOut(build, unusedInLibrary),
};

function leaveOut(build: Bun.PluginBuilder, parts: RegExp): void {
  build.onLoad({ filter: otherLanguages }, () => ({
    contents: `export { default as en } from "./en.js";`,
    loader: "js",
  }));
  build.onLoad({ filter: parts }, async ({ path }) => {
    const { exports } = new Bun.Transpiler({ loader: "js" }).scan(await Bun.file(path).text());
    const lines = exports.map(
      (name) => `export function ${name}() { throw new Error("${name} is not in this build"); }`,
    );
    return { contents: lines.join("\n"), loader: "js" };
  });
}

/** Adds to `stored` what the modules read, by its name; `compressed:NAME` imports its path. */
export async function smallerModules(stored: Map<string, Uint8Array>): Promise<Bun.BunPlugin> {
  const yogaPath = Bun.resolveSync("yoga-layout", import.meta.dirname).replace(
    /dist\/.*$/,
    "dist/binaries/yoga-wasm-base64-esm.js",
  );
  const { source, program } = parted(await Bun.file(yogaPath).text());
  stored.set(yogaFile, await zstandard(program));
  const yoga = [
    `import { readFileSync } from "node:fs";`,
    `import wasmPath from "compressed:${yogaFile}" with { type: "file" };`,
    `const wasm = () => Bun.zstdDecompressSync(readFileSync(wasmPath));`,
    source,
  ].join("\n");
  for (const [table, bytes] of await tablesOfEncodings()) {
    stored.set(encodingFile(table), await zstandard(bytes));
  }
  return {
    name: "smaller modules",
    setup(build) {
      leaveOut(build, unusedParts);
      build.onLoad({ filter: encodingTables }, ({ path }) => ({
        contents: tableModule(encodingTables.exec(path)?.[1] ?? ""),
        loader: "js",
      }));
      build.onLoad({ filter: encodings }, async ({ path }) => ({
        contents: (await Bun.file(path).text()).replace(tableImport, 'require("$2").default'),
        loader: "js",
      }));
      build.onLoad({ filter: /\/yoga-wasm-base64-esm\.js$/ }, () => ({
        contents: yoga,
        loader: "js",
      }));
      build.onLoad({ filter: /\/cli-spinners\/spinners\.json$/ }, async ({ path }) => {
        const all: Record<string, unknown> = await Bun.file(path).json();
        return { contents: JSON.stringify({ [spinner]: all[spinner] }), loader: "json" };
      });
      build.onLoad({ filter: segmentingFiles }, async ({ path }) => ({
        contents: laterSegmenters(await Bun.file(path).text()),
        loader: "js",
      }));
      build.onLoad({ filter: stackView }, () => ({
        contents: "export default function ErrorOverview() { return null; }",
        loader: "js",
      }));
      build.onLoad({ filter: /\/signal-exit\/index\.js$/ }, async ({ path }) => ({
        contents: (await Bun.file(path).text()).replace(assertImport, "{ equal() {} }"),
        loader: "js",
      }));
      // The bundler asks no plugin about the runtime's own names.
      build.onLoad({ filter: rarelyUsedIn }, async ({ path }) => ({
        contents: (await Bun.file(path).text()).replace(rarelyUsedImport, '$1"rarely-used:$3"'),
        loader: path.endsWith(".ts") ? "ts" : "js",
      }));
      build.onResolve({ filter: /^rarely-used:/ }, ({ path }) => ({
        path: path.slice("rarely-used:".length),
        namespace: "rarely-used",
      }));
      build.onLoad({ filter: /./, namespace: "rarely-used" }, ({ path }) => ({
        contents: laterModule(path),
        loader: "js",
      }));
    },
  };
}

/** Files of a build that import a rarely used module of the runtime all the same. */
export function wastefulImports(metafile: Bun.BuildMetafile | undefined): readonly string[] {
  const names = new Set<string>(rarelyUsed.flatMap((name) => [name, `node:${name}`]));
  return Object.entries(metafile?.inputs ?? {})
    .filter(([, { imports }]) => imports.some(({ path }) => names.has(path)))
    .map(([path]) => path);
}

/**
 * Yoga's program, and its source with `wasm()` in place of it: the library would fetch the program
 * from an address of base64 text, which starts the runtime's HTTP client before the first frame.
 */
function parted(library: string): { readonly source: string; readonly program: Buffer } {
  const [, encoded = ""] =
    /"data:application\/octet-stream;base64,(AGFzb[^"]+)"/.exec(library) ?? [];
  const source = library
    .replace(encoded, "")
    .replace(/(\w)\.wasmBinary&&\((\w)=\1\.wasmBinary\)/, "$2=wasm()");
  if (encoded === "" || !source.includes("=wasm()")) {
    throw new Error("the layout library has another form: see scripts/build/smaller-modules.ts");
  }
  return { source, program: Buffer.from(encoded, "base64") };
}

/** A module whose functions and classes load the runtime's own one at their first call. */
function laterModule(name: string): string {
  const members: Record<string, unknown> = createRequire(import.meta.url)(`node:${name}`);
  const lines = Object.entries(members)
    .filter(([key, value]) => typeof value === "function" && /^[A-Za-z]\w*$/.test(key))
    .map(
      ([key]) =>
        `export function ${key}(...given) {\n` +
        `  const own = loaded().${key};\n` +
        `  return new.target ? Reflect.construct(own, given) : own(...given);\n}`,
    );
  return [
    `const loaded = () => process.getBuiltinModule(${JSON.stringify(`node:${name}`)});`,
    ...lines,
  ].join("\n");
}

async function tablesOfEncodings(): Promise<[table: string, bytes: Uint8Array][]> {
  const folder = join(
    dirname(Bun.resolveSync("iconv-lite", import.meta.dirname)),
    "../encodings/tables",
  );
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  return Promise.all(
    names.map(async (name): Promise<[string, Uint8Array]> => [
      basename(name, ".json"),
      await Bun.file(join(folder, name)).bytes(),
    ]),
  );
}

/** The module of a table, which its library requires when the first text needs it. */
function tableModule(table: string): string {
  return [
    `import { readFileSync } from "node:fs";`,
    `import path from "compressed:${encodingFile(table)}" with { type: "file" };`,
    "const bytes = Bun.zstdDecompressSync(readFileSync(path));",
    "export default JSON.parse(new TextDecoder().decode(bytes));",
  ].join("\n");
}
