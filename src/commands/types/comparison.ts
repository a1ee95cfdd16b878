import type { Client } from "#client/surface.ts";
import type { CommandContext } from "../kit/context.ts";
import { weighPlan, type WeighedStep } from "./losses.ts";
import { readManifest, requireTargets, type Manifest } from "./manifest.ts";
import { planSeed } from "./plan.ts";
import { storedTypes, workspaceOf, type StoredTypes } from "./stored-types.ts";

export interface Comparison {
  readonly manifest: Manifest;
  readonly client: Client;
  readonly stored: StoredTypes;
  /** A step for each type of the file, also for unchanged types. */
  readonly plan: readonly WeighedStep[];
}

/** The plan that `types diff` shows and `types seed` executes. */
export async function compareTypes(
  context: CommandContext,
  options: Parameters<typeof workspaceOf>[0],
): Promise<Comparison> {
  const workspace = workspaceOf(options);
  const manifest = await readManifest(context);
  const client = await context.client({ workspace });
  const stored = await storedTypes(client, context.signal);
  requireTargets(manifest, stored.types);
  const plan = await weighPlan(client, planSeed(manifest.types, stored.types), context.signal);
  return { manifest, client, stored, plan };
}
