import { isAbsolute, join, resolve } from "node:path";
import { catalogError } from "#contract/errors.ts";
import type { Sourced } from "../surface.ts";

/** The folder of tokens and profiles: `SVC_CONFIG_DIR`, else `~/.svc`. It is not created here. */
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

/** A relative path would depend on the current folder, which may be a foreign project. */
function requireAbsolute(name: string, path: string): void {
  if (isAbsolute(path)) return;
  throw catalogError("E006", { details: `${name} must be an absolute path` });
}
