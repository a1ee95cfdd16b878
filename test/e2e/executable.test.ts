import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile } from "../../scripts/build/executable.ts";
import { bundledPackages } from "../../scripts/release/packages.ts";
import { cleanEnvironment } from "../support/environment.ts";
import { svc, svcExecutable } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";

interface SmallProgram {
  readonly path: string;
  /** The files that it has inside, as its build lists them. */
  readonly inputs: readonly string[];
}

let built: Promise<SmallProgram> | undefined;

/** A program that prints a variable. */
async function buildSmallProgram(): Promise<SmallProgram> {
  const folder = await temporaryDirectory("small");
  const [entry, path, inputsFile] = ["main.ts", "program", "inputs.json"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(entry, "console.log(process.env.SVC_TOKEN)");
  await compile(entry, path, { inputsFile });
  return { path, inputs: await Bun.file(inputsFile).json() };
}

function smallProgram(): Promise<SmallProgram> {
  built ??= buildSmallProgram();
  return built;
}

describe("an executable", () => {
  test("runs no code and takes no variable from the folder that it is started in", async () => {
    const { path } = await smallProgram();
    const folder = await temporaryDirectory("hostile");
    await writeFile(join(folder, ".env"), "SVC_TOKEN=stolen");
    await writeFile(join(folder, "bunfig.toml"), `preload = ["./preload.ts"]`);
    await writeFile(join(folder, "preload.ts"), `console.log("preloaded")`);
    const { stdout } = Bun.spawnSync([path], {
      cwd: folder,
      env: cleanEnvironment(),
    });
    expect(stdout.toString()).toBe("undefined\n");
  });

  test("has the same bytes after each build, wherever it is written", async () => {
    const folder = await temporaryDirectory("same");
    const entry = join(folder, "main.ts");
    await writeFile(entry, `export * as a from "papaparse"; console.log(import("htmlparser2"))`);
    const digests = new Set<string>();
    for (const outfile of [join(folder, "one/program"), join(folder, "other/program")]) {
      await compile(entry, outfile);
      digests.add(Bun.SHA256.hash(await Bun.file(outfile).bytes(), "hex"));
    }
    expect(digests.size).toBe(1);
  });

  test("lists all that it holds, also data that no module imports", async () => {
    const { inputs } = await smallProgram();
    const names = (await bundledPackages(inputs)).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["@tesseract.js-data/eng", "pdfjs-dist", "tesseract.js-core"]),
    );
  });

  test("has the production half of React only", async () => {
    const bytes = Buffer.from(await Bun.file(await svcExecutable()).arrayBuffer());
    expect(bytes.includes("Each child in a list should have a unique")).toBe(false);
    // The half that must be there has this text: the search itself works.
    expect(bytes.includes("Minified React error #")).toBe(true);
  });

  test.each([
    ["--jq", "[.errors[].exitCode] | unique", "[1,2,4]\n"],
    ["--template", "{{ it.errors[0].code }}", "E001\n"],
  ])("has the library of %s", async (option, query, stdout) => {
    expect(await svc(["errors", option, query])).toMatchObject({ stdout, stderr: "", exitCode: 0 });
  });

  test("knows the version of package.json", async () => {
    const { version }: { version: string } = await Bun.file(
      join(import.meta.dirname, "../../package.json"),
    ).json();
    expect(await svc(["--version"])).toMatchObject({
      stdout: expect.stringContaining(version),
      stderr: "",
      exitCode: 0,
    });
  });
});
