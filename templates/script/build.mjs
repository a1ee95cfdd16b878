// A script runs as it is: the build copies what a machine needs to dist/.
import { cp, rm } from "node:fs/promises";

await rm("dist", { recursive: true, force: true });
for (const path of ["main.mjs", "report.mjs", "package.json", "vendor"]) {
  await cp(path, `dist/${path}`, { recursive: true });
}
console.log("built dist/");
