// Makes dist/: the pages as JavaScript, and the server, which needs Node only.
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pageModule } from "./server/typescript.mjs";

await rm("dist", { recursive: true, force: true });
await cp("public", "dist/public", { recursive: true });
await mkdir("dist/public/app");
for (const name of await readdir("src/app")) {
  const source = join("src/app", name);
  const module = pageModule(await readFile(source, "utf8"), source);
  await writeFile(join("dist/public/app", name.replace(/\.ts$/, ".js")), module);
}
await cp("vendor/svc/index.js", "dist/public/svc.js");
for (const name of [
  "server.mjs",
  "server/guard.mjs",
  "server/environment.mjs",
  "server/pages.mjs",
]) {
  await cp(name, join("dist", name));
}
for (const name of ["server/proxy.mjs", "server/sign-in.mjs"]) await cp(name, join("dist", name));
await writeFile("dist/package.json", '{"type":"module"}\n');
console.log("built dist/");
