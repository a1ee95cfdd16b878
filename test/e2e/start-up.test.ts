import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { commandFiles } from "#commands/command-files.ts";
import { commandTable } from "#commands/registry.ts";
import { rootHelp } from "#commands/root-help.ts";
import { version } from "#lib/version.ts";
import { userEnvironment } from "#test/support/environment.ts";
import { svc } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { repository } from "../architecture/source.ts";

const metafile = z.object({
  outputs: z.record(
    z.string(),
    z.object({
      entryPoint: z.string().optional(),
      inputs: z.record(z.string(), z.unknown()),
      imports: z.array(z.object({ path: z.string(), kind: z.string() })),
    }),
  ),
});
const commandPaths = new Set(
  Object.keys(commandFiles).map((path) => `src/commands/${path.replaceAll(" ", "/")}.ts`),
);
const isCommand = (path: string): boolean => commandPaths.has(path);
let bundle = "";
let outputs: z.output<typeof metafile>["outputs"] = {};

/** Every source file that is read as soon as one is, and before anything is asked for lazily. */
function readWith(entry: string): string[] {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const output = outputs[name];
    if (output === undefined || seen.has(name)) return;
    seen.add(name);
    for (const { path, kind } of output.imports) {
      if (kind === "import-statement") visit(path);
    }
  };
  const start = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === entry);
  if (start === undefined) throw new Error(`${entry} is not a separate chunk`);
  visit(start);
  return [...seen].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {})).toSorted();
}

beforeAll(async () => {
  bundle = await temporaryDirectory("bundle");
  const meta = join(bundle, "meta.json");
  const build = Bun.spawn(
    [
      process.execPath,
      "build",
      "src/main.ts",
      "--splitting",
      "--target=bun",
      "--production",
      "--external=react-devtools-core",
      `--outdir=${bundle}`,
      `--metafile=${meta}`,
    ],
    { cwd: repository, stdio: ["ignore", "ignore", "pipe"] },
  );
  const [errors, exitCode] = await Promise.all([build.stderr.text(), build.exited]);
  expect({ errors, exitCode }).toMatchObject({ exitCode: 0 });
  outputs = metafile.parse(await Bun.file(meta).json()).outputs;
});

describe("what is read at start", () => {
  test("--version and --help: the entry file, and no command", () => {
    expect(readWith("src/main.ts")).toEqual(["src/main.ts"]);
  });

  test("help and completion: no command, library, schema, client, server or screen", () => {
    const files = new Set(["src/commands/run.ts", "src/commands/registry.ts"].flatMap(readWith));
    const allowed = /^(package\.json|src\/(cli|lib)\/.*|src\/commands\/(kit\/)?[\w-]+\.ts)$/;
    // The contract's tables only: numbers and names, without a schema.
    expect([...files].filter((path) => !allowed.test(path)).toSorted()).toEqual([
      "src/commands/kit/sign-in/proxy-variable.ts",
      "src/contract/command-errors.ts",
      "src/contract/errors.ts",
    ]);
    expect([...files].filter((path) => isCommand(path))).toEqual([]);
    expect(files).not.toContain("src/cli/input/parse.ts");
  });

  test.each(Object.keys(commandFiles))("svc %s: no other command, and no library", (path) => {
    const own = `src/commands/${path.replaceAll(" ", "/")}.ts`;
    const alone = new Set(["src/commands/run.ts", own].flatMap(readWith));
    expect(alone).not.toContain("src/commands/registry.ts");
    expect([...alone].filter((file) => isCommand(file))).toEqual([own]);
    expect([...alone].filter((file) => /^(?:node_modules|ui|src\/server)\//.test(file))).toEqual(
      [],
    );
  });

  test("the dashboard: not the platform, no schema library and no client", () => {
    const later = /^(?:src\/server\/|src\/client\/(?:client|index)\.ts$|node_modules\/zod\/)/;
    expect(readWith("ui/app.tsx").filter((path) => later.test(path))).toEqual([]);
  });
});

/** A module that writes the path of each further module that is loaded to a file. */
const recorder = (file: string): string => `
  import { plugin } from "bun";
  import { appendFileSync, readFileSync } from "node:fs";
  const record = ({ path }) => {
    appendFileSync(${JSON.stringify(file)}, path + "\\n");
    return { contents: readFileSync(path, "utf8"), loader: "js" };
  };
  plugin({ name: "recorder", setup: (build) => build.onLoad({ filter: /\\.js$/ }, record) });
`;

/** The source files of the product that a run of `svc` loads, lazy imports included. */
async function loadedBy(words: readonly string[], baseUrl: string): Promise<ReadonlySet<string>> {
  const home = await temporaryDirectory("loads");
  const [record, preload] = [join(home, "loaded.txt"), join(home, "recorder.ts")];
  await Bun.write(preload, recorder(record));
  const run = Bun.spawn(
    [process.execPath, "--preload", preload, join(bundle, "main.js"), ...words],
    {
      cwd: home,
      env: userEnvironment(home, { SVC_TOKEN: "token", BASE_URL_PUBLIC_API: baseUrl }),
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const [errors, exitCode] = await Promise.all([run.stderr.text(), run.exited]);
  expect({ errors, exitCode }).toMatchObject({ exitCode: 0 });
  const byName = new Map(Object.entries(outputs).map(([path, one]) => [basename(path), one]));
  const chunks = (await Bun.file(record).text()).trim().split("\n");
  const files = chunks.flatMap((path) => Object.keys(byName.get(basename(path))?.inputs ?? {}));
  return new Set(files.filter((path) => /^(?:src|ui)\//.test(path)));
}

test("svc resources list --where loads at most 110 source files", async () => {
  const record = { id: "1", type: "tree", version: 1, data: { species: "oak" } };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => Response.json({ items: [record], page: 1, limit: 20, hasNextPage: false }),
  });
  try {
    const where = ["--where", '{"species":"oak"}', "--tenant-id", crypto.randomUUID()];
    const files = await loadedBy(["resources", "list", "tree", ...where], server.url.href);
    expect(files).toContain("src/commands/resources/list.ts");
    expect(files.size).toBeLessThanOrEqual(110);
  } finally {
    await server.stop(true);
  }
});

describe("the executable", () => {
  test("prints the help that was computed when it was built, in full", async () => {
    const help = await rootHelp();
    for (const word of ["--help", "-h", "help"]) {
      const { stdout, stderr, exitCode } = await svc([word]);
      expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      expect(stdout).toBe(`${help}\n`);
    }
    const first = new Set(commandTable.commands.map(({ path }) => path.split(" ")[0] ?? ""));
    for (const word of first) expect(help).toMatch(new RegExp(`^  ${word} `, "m"));
  });

  test("prints its version", async () => {
    for (const word of ["--version", "-V"]) {
      expect(await svc([word])).toMatchObject({ stdout: `${version}\n`, stderr: "", exitCode: 0 });
    }
  });
});
