import type { Client } from "#client/surface.ts";
import type { CommandContext } from "../context.ts";
import { weighPlan, type WeighedStep } from "./losses.ts";
import { readManifest, type Manifest } from "./manifest.ts";
import { planSeed } from "./plan.ts";
import { storedTypes, workspaceOf, type StoredTypes } from "./stored.ts";

/** The project's file beside what a workspace has. */
export interface Comparison {
  readonly manifest: Manifest;
  readonly client: Client;
  readonly stored: StoredTypes;
  /** What seeding comes to for each type of the file, unchanged ones too. */
  readonly plan: readonly WeighedStep[];
}

/** What `types diff` shows and `types seed` does: one plan, so that the one foretells the other. */
export async function compareTypes(
  context: CommandContext,
  options: Parameters<typeof workspaceOf>[0],
): Promise<Comparison> {
  const workspace = workspaceOf(options);
  const manifest = await readManifest(context);
  const client = await context.client({ workspace });
  const stored = await storedTypes(client, context.signal);
  const plan = await weighPlan(client, planSeed(manifest.types, stored.types), context.signal);
  return { manifest, client, stored, plan };
}
