import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { clientPackage } from "#lib/packages.ts";
import { uploadHtml, uploadPage } from "#test/support/browser/upload-page.ts";
import { repository } from "../../build/executable.ts";
import { finished } from "../../build/finished.ts";

export const bundlers = ["vite", "esbuild"] as const;
export type Bundler = (typeof bundlers)[number];

const buildLimitMs = 300_000;

/**
 * Packs the library, installs it in a new project without a network, and builds its page with each
 * bundler. Returns the folder with a page for each.
 */
export async function buildPages(directory: string, packages: string): Promise<string> {
  const project = join(directory, "project");
  const pages = join(directory, "pages");
  await mkdir(project, { recursive: true });
  await run(["npm", "pack", "--silent", `--pack-destination=${directory}`], repository);
  const [tarball] = await Array.fromAsync(new Bun.Glob("*.tgz").scan({ cwd: directory }));
  await Bun.write(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run(["npm", "install", "--silent", ...flags, join(directory, tarball ?? "")], project);
  await Bun.write(join(project, "page.js"), uploadPage);
  await Bun.write(join(project, "index.html"), uploadHtml("./page.js"));
  const vite = join(packages, "vite/bin/vite.js");
  const toVite = ["build", "--base=/vite/", `--outDir=${join(pages, "vite")}`, "--logLevel=warn"];
  await run([process.execPath, vite, ...toVite], project);
  const esbuild = join(packages, ".bin/esbuild");
  const toEsbuild = ["--bundle", "--minify", "--splitting", "--format=esm", "--log-level=warning"];
  const outdir = join(pages, "esbuild");
  await run([esbuild, "page.js", ...toEsbuild, `--outdir=${outdir}`], project);
  await Bun.write(join(outdir, "index.html"), uploadHtml("./page.js"));
  return pages;
}

/** The compressed size of the client as one script of esbuild, in the project that was built. */
export async function oneScriptBytes(directory: string, packages: string): Promise<number> {
  const project = join(directory, "project");
  const outfile = join(directory, "one-script.js");
  const client = `import { createClient } from "${clientPackage}"; window.svc = createClient;`;
  await Bun.write(join(project, "client.js"), client);
  const flags = ["--bundle", "--minify", "--format=esm", "--log-level=warning"];
  await run(
    [join(packages, ".bin/esbuild"), "client.js", ...flags, `--outfile=${outfile}`],
    project,
  );
  return Bun.gzipSync(await Bun.file(outfile).bytes(), { level: 9 }).byteLength;
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: buildLimitMs,
  });
  const { stdout, stderr, exitCode } = await finished(child);
  if (exitCode === 0) return;
  throw new Error(`${command.slice(0, 3).join(" ")} failed:\n${stdout}${stderr}`);
}
