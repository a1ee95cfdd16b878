import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { withoutTypes } from "../server/typescript.mjs";

/** Loads a TypeScript module as JavaScript. */
export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const path = fileURLToPath(url);
  const source = withoutTypes(await readFile(path, "utf8"), path);
  return { format: "module", source, shortCircuit: true };
}
