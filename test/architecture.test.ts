import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import { matcherOf, readRequests } from "./architecture/requests.ts";
import { codeOf, holds, offences, paths, product, sources } from "./architecture/rules.ts";
import { isText, layerOf, repository } from "./architecture/source.ts";

/** The layers that each layer may import. `commands` also loads ui and server with import(). */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  contract: ["lib"],
  client: ["contract", "lib"],
  auth: ["contract", "lib"],
  local: ["contract", "lib"],
  cli: ["contract", "lib"],
  mcp: ["contract", "lib"],
  site: ["contract", "lib"],
  server: ["contract", "lib"],
  ui: ["client", "contract", "lib"],
  commands: ["cli", "client", "auth", "local", "contract", "lib"],
  main: ["commands", "cli", "lib"],
};
/** Heavy layers that others may name in types, but load only when they are wanted. */
const lazyImports: Readonly<Record<string, readonly string[]>> = {
  commands: ["ui", "server", "mcp", "site"],
  server: ["mcp"],
  main: ["ui", "server", "commands"],
};
const frontDoors = ["src/contract/index.ts", "src/client/index.ts"];
const lineLimit = 400;

/** A file of the dashboard that draws: a `.tsx` that is not a hook with its provider. */
function isComponent(path: string): boolean {
  return /^ui\/.+\/(?!use-)[\w-]+\.tsx$/.test(path);
}

describe("layers", () => {
  test("know only what their arrow points to", () => {
    const found = offences(product, (source) => {
      const layer = layerOf(source.path) ?? "";
      const may = new Set([layer, ...(allowedImports[layer] ?? [])]);
      const lazily = new Set(lazyImports[layer] ?? []);
      return source.imports.flatMap(({ target, kind, specifier }) => {
        const other = target === undefined ? undefined : layerOf(target);
        if (other === undefined || may.has(other)) return [];
        if (lazily.has(other) && kind !== "static") return [];
        return [`${kind} import of ${specifier}`];
      });
    });
    holds("layers know only what their arrow points to", found);
  });

  test("cross by #layer/file.ts, and stay relative inside", () => {
    const found = offences(product, (source) =>
      source.imports.flatMap(({ target, specifier }) => {
        if (target === undefined) return [];
        const sameLayer = layerOf(target) === layerOf(source.path);
        return sameLayer === specifier.startsWith(".") ? [] : [specifier];
      }),
    );
    holds("imports inside a layer are relative", found);
  });

  test("name files that exist, with their extension", () => {
    const found = offences(sources, ({ imports }) =>
      imports.flatMap(({ target, specifier }) =>
        target === undefined ||
        /^src\/.*\$\{|\$\{/.test(target) ||
        existsSync(join(repository, target))
          ? []
          : [specifier],
      ),
    );
    holds("imports name files that exist", found);
  });

  test("are the folders that the architecture draws", () => {
    const layers = new Set(product.map(({ path }) => layerOf(path)));
    expect(
      [...layers].filter((layer) => layer !== undefined && !(layer in allowedImports)),
    ).toEqual([]);
  });

  test("have no barrel but their front door, and re-export nothing wholesale", () => {
    const found = offences(product, ({ path, onlyReexports, reexportsEverything }) => {
      if (frontDoors.includes(path)) return [];
      if (/(^|\/)index\.tsx?$/.test(path)) return ["is called index"];
      if (reexportsEverything) return ["export * from another file"];
      return onlyReexports ? ["defines nothing itself"] : [];
    });
    holds("no barrels", found);
  });

  test("share src/lib: two layers or more use each of its files", () => {
    const importers = Map.groupBy(
      sources.flatMap(({ path, imports }) =>
        imports.flatMap(({ target }) => (target === undefined ? [] : [{ path, target }])),
      ),
      ({ target }) => target,
    );
    const usersOf = (path: string, seen: Set<string>): Set<string> => {
      if (seen.has(path)) return new Set();
      seen.add(path);
      const users = (importers.get(path) ?? []).map(({ path: importer }) => {
        const layer = layerOf(importer) ?? importer.split("/")[0] ?? "";
        return layer === "lib" ? usersOf(importer, seen) : new Set(layer === "test" ? [] : [layer]);
      });
      return users.reduce((all, some) => all.union(some), new Set<string>());
    };
    const found = offences(
      product.filter(({ path }) => layerOf(path) === "lib"),
      ({ path }) => {
        const users = usersOf(path, new Set());
        return users.size > 1 ? [] : [`used by ${[...users].join("") || "nothing"} only`];
      },
    );
    holds("two layers or more use each file of src/lib", found);
  });

  test("of the dashboard: hooks draw nothing", () => {
    const hooks = product.filter(({ path }) => /^ui\/.*\/use-[\w-]+\.ts$/.test(path));
    expect(hooks.length).toBeGreaterThan(30);
    const found = offences(hooks, ({ imports }) =>
      imports.flatMap(({ target, kind }) =>
        target !== undefined && kind !== "type" && isComponent(target) ? [target] : [],
      ),
    );
    holds("no hook imports a component", found);
  });

  test("of the dashboard: screens and components draw, hooks fetch", () => {
    const drawn = product.filter(({ path }) => isComponent(path));
    expect(drawn.length).toBeGreaterThan(40);
    const found = offences(
      drawn,
      ({ text }) => codeOf(text).match(/\buse(?:Answer|List)[<(]|\bclient\??\.\w+/g) ?? [],
    );
    holds("screens draw, hooks fetch", found);
  });

  test("leave the process to src/main.ts, and speak through the output layer", () => {
    const others = product.filter(({ path }) => path !== "src/main.ts");
    const found = offences(others, ({ text, imports }) => [
      ...(imports.some(({ specifier }) => /^(node:)?process$/.test(specifier))
        ? ["imports process"]
        : []),
      ...(codeOf(text).match(
        /(?<![.\w])process\.(?:env|argv|exit|exitCode|stdin|stdout|stderr|on|once|cwd|kill|pid)\b/g,
      ) ?? []),
      ...(codeOf(text).match(/(?<![.\w])console\.\w+\(/g) ?? []),
    ]);
    holds("only src/main.ts touches process", found);
  });
});

describe("files", () => {
  test(`have no more than ${lineLimit} lines`, () => {
    const found = offences(sources, ({ lineCount }) =>
      lineCount > lineLimit ? [`${lineCount} lines`] : [],
    );
    holds("no more than 400 lines", found);
  });

  test("are not called utils, helpers or common", () => {
    const found = paths.flatMap((path) =>
      /(^|\/)(utils?|helpers?|common|misc|shared)(\/|\.[a-z]+$)/.test(path)
        ? [{ path, what: "say what it is about" }]
        : [],
    );
    holds("names say what a file is about", found);
  });

  test("ask what an object itself has under a name in one way", () => {
    const byHand =
      /Object\.hasOwn\((?<object>[^,()]+), (?<name>[^()]+)\)\s*\?\s*\k<object>\[\k<name>\]\s*:\s*undefined/g;
    const others = product.filter(({ path }) => path !== "src/lib/own-member.ts");
    const found = offences(others, ({ text }) => codeOf(text).match(byHand) ?? []);
    holds("own members are read by ownMember", found);
  });

  test("do not silence the compiler or the linter", () => {
    const directive = new RegExp(
      ["@ts-" + "(ignore|nocheck|expect-error)", "(oxlint|eslint)-" + "disable"].join("|"),
      "g",
    );
    const found = offences(sources, ({ silencers, text }) => [
      ...silencers,
      ...(text.match(directive) ?? []),
    ]);
    holds("nothing silences the compiler", found);
  });

  test("export no value that only they themselves use", () => {
    const users = new Map<string, Set<string>>();
    for (const { path, text } of sources) {
      for (const word of codeOf(text).match(/[\w$]+/g) ?? []) {
        const paths = users.get(word) ?? new Set();
        users.set(word, paths.add(path));
      }
    }
    const found = offences(sources, ({ path, exportedValues }) =>
      exportedValues.filter((name) => users.get(name)?.isSubsetOf(new Set([path]))),
    );
    holds("an exported value is used elsewhere", found);
  });

  test("put nothing off, and name no machine and no registry", async () => {
    const unwanted: readonly [string, RegExp][] = [
      ["work put off", new RegExp("\\b(" + "TO" + "DO|FIX" + "ME|XX" + "X|HA" + "CK)\\b")],
      ["a path of one machine", /(?<![\w$.}\]/-])\/(?:root|work)\/[\w.]/],
      ["a registry's host", /\b(?:registry\.(?:npmjs|yarnpkg)\.\w+|npm\.jsr\.io)\b/],
    ];
    const found: { path: string; what: string }[] = [];
    for (const path of paths.filter(isText)) {
      const text = await Bun.file(join(repository, path)).text();
      for (const [what, pattern] of unwanted) {
        const hit = pattern.exec(text)?.[0];
        if (hit !== undefined) found.push({ path, what: `${what}: ${hit}` });
      }
    }
    holds("nothing is put off, no machine is named", found);
  });

  test("are at the top level only where the architecture allows them", () => {
    const allowed =
      /^(package\.json|bunfig\.toml|tsconfig\.json|README\.md|LICENSE|CHANGELOG\.md|CONTRIBUTING\.md|bun\.lock|\..+)$/;
    const folders = new Set(["src", "ui", "templates", "test", "scripts", "docs", ".ci"]);
    const found = paths.flatMap((path) => {
      const [top = "", ...rest] = path.split("/");
      const fits = rest.length === 0 ? allowed.test(top) : folders.has(top);
      return fits ? [] : [{ path, what: "is not drawn in the architecture" }];
    });
    holds("the top level is the architecture's", found);
  });
});

test(".ci/run is a script that a shell can read, and anyone may run", async () => {
  const script = join(repository, ".ci/run");
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-n", script]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  expect((await stat(script)).mode & 0o111).toBe(0o111);
});

describe("the same noun", () => {
  test("names a route's wire and its rules", () => {
    const found = paths.flatMap((path) => {
      const noun = /^src\/server\/domains\/([\w-]+)\/routes\.ts$/.exec(path)?.[1];
      if (noun === undefined) return [];
      const service = `src/server/domains/${noun}/service.ts`;
      return existsSync(join(repository, service))
        ? []
        : [{ path, what: `there is no ${service}` }];
    });
    holds("each routes.ts has a service.ts of its noun", found);
  });

  test("names a test's folder and the folder it tests", () => {
    const found = paths.flatMap((path) => {
      if (!/^test\/.*\.test\.tsx?$/.test(path) || path === "test/architecture.test.ts") return [];
      const folder = dirname(path).slice("test/".length);
      const mirrored = /^(ui|scripts)(\/|$)/.test(folder) ? folder : join("src", folder);
      const source = join(repository, mirrored);
      const fits =
        /^(architecture|e2e|support)(\/|$)/.test(folder) ||
        // A noun with many tests has a folder for them before its source needs one.
        ["", ".ts", ".tsx"].some((extension) => existsSync(`${source}${extension}`));
      return fits ? [] : [{ path, what: `there is no ${mirrored}` }];
    });
    holds("tests mirror what they test", found);
  });
});

describe("nothing is forgotten:", () => {
  test("every route of the contract is called by a test of the platform", () => {
    const tests = sources.filter(({ path }) => path.startsWith("test/server/"));
    const made = tests.flatMap(({ path, text }) => readRequests(path, text));
    const found = Object.entries(routes).flatMap(([domain, ofDomain]) =>
      Object.entries(ofDomain).flatMap(([name, { method, path }]) => {
        const byWire = made.some(matcherOf(method, path));
        const byName = tests.some(
          ({ path: file, text }) =>
            text.includes(`client.${domain}.${name}(`) ||
            (file.startsWith("test/server/domains/cases/") &&
              text.includes(`"${domain}.${name}": {`)),
        );
        return byWire || byName
          ? []
          : [{ path: `src/contract/${domain}`, what: `${method} ${path}` }];
      }),
    );
    holds("every route is called by a test", found);
  });
});
