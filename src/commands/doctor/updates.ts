import type { CommandContext } from "../context.ts";
import { latestVersion } from "../project/registry.ts";
import { failedFinding, type Finding } from "./finding.ts";

export async function updateFinding(context: CommandContext): Promise<Finding> {
  const check = "updates";
  try {
    const { current, latest, isNewer } = await latestVersion(context);
    if (!isNewer) return { check, state: "ok", detail: `${current} is the latest version` };
    return { check, state: "warning", detail: `version ${latest} is available` };
  } catch (error) {
    return failedFinding(check, error);
  }
}
