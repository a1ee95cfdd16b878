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
    // A relative place would be another one in each folder, and could be planted in a project.
    if (!isAbsolute(given)) {
      throw catalogError("E006", { details: "SVC_CONFIG_DIR is not an absolute path" });
    }
    return { value: resolve(given), source: "environment", name: "SVC_CONFIG_DIR" };
  }
  return { value: join(homeDirectory, ".svc"), source: "default" };
}
