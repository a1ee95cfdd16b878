// Removes the types of TypeScript with the vendored sucrase: no network and no newer Node is needed.
// Your editor, and `tsc` where it is installed, check the types.
import { transform } from "sucrase";

/** The JavaScript of a TypeScript module. */
export function withoutTypes(source, filePath) {
  return transform(source, { transforms: ["typescript"], disableESTransforms: true, filePath })
    .code;
}

/** A module as a page loads it: `svc` and `./other.ts` become addresses. */
export function pageModule(source, filePath) {
  return withoutTypes(source, filePath).replace(
    /(\bfrom\s*|\bimport\s*\(?\s*)"(svc|\.\/[\w-]+\.ts)"/g,
    (_, before, name) => `${before}"${name === "svc" ? "/svc.js" : name.replace(/\.ts$/, ".js")}"`,
  );
}
