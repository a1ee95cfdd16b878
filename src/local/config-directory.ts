import { isAbsolute, join, resolve } from "node:path";
import { catalogError } from "#contract/errors.ts";
import type { Sourced } from "./surface.ts";

/** Where tokens and profiles live: `SVC_CONFIG_DIR`, else `~/.svc`. Nothing is created here. */
export function findConfigDirectory(
  variables: Readonly<Record<string, string | undefined>>,
  homeDirectory: string,
): Sourced<string> {
  const given = variables["SVC_CONFIG_DIR"];
  if (given !== undefined && given !== "") {
    requireAbsolute("SVC_CONFIG_DIR", given);
    return { value: resolve(given), source: "environment", name: "SVC_CONFIG_DIR" };
  }
  requireAbsolute("HOME", homeDirectory);
  return { value: join(homeDirectory, ".svc"), source: "default" };
}

/** A relative place would be another one in each folder, and could be planted in a project. */
function requireAbsolute(name: string, path: string): void {
  if (!isAbsolute(path)) throw catalogError("E006", { details: `${name} is not an absolute path` });
}
