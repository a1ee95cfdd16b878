import type { Client } from "#client/surface.ts";
import { CatalogError, exitCodes } from "#contract/errors.ts";
import { command, tenantOption } from "../command.ts";
import type { SeedStep } from "./plan.ts";
import { storedTypes, tenantKeyOption, workspaceOf } from "./stored.ts";

/** Schema sync result states (spec 2.11), and `failed` for what could not be done. */
type SeedState = "planned" | "applied" | "already_applied" | "skipped" | "failed";

interface SeedResult {
  readonly slug: string;
  readonly state: SeedState;
  readonly actions: readonly string[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    /** HTTP status of the refusal, where there was an answer. */
    readonly status?: number | undefined;
  };
}

async function apply(client: Client, step: SeedStep, signal: AbortSignal): Promise<void> {
  if (step.action === "create") await client.objectTypes.create({ body: step.type, signal });
  if (step.action !== "update") return;
  const { slug: _slug, ...definition } = step.type;
  // What the file no longer says is removed: without a word it would stay (RFC 7396).
  const removed = (["displayName", "description"] as const).filter(
    (word) => step.type[word] === undefined && (step.stored[word] ?? "") !== "",
  );
  await client.objectTypes.update({
    params: { objectTypeId: step.stored.id },
    body: {
      ...definition,
      ...Object.fromEntries(removed.map((word) => [word, null])),
      ...(step.stored.version === undefined ? {} : { version: step.stored.version }),
    },
    signal,
  });
}

/** `svc types seed`: publishes the file's definitions; an unchanged type costs no write. */
export const typesSeedCommand = command({
  path: "types seed",
  summary: "Publish the project's Object Types to a workspace",
  arguments: [],
  options: {
    env: { type: "string", default: "dev", description: "Name of the environment, for the report" },
    "tenant-key": tenantKeyOption,
    "tenant-id": tenantOption,
    "dry-run": { type: "boolean", description: "Only say what would be done" },
  },
  routes: [
    "GET /v4/data/resources/object-types",
    "POST /v4/data/resources/object-types",
    "PATCH /v4/data/resources/object-types/{objectTypeId}",
    "GET /v4/data/resources/{tenantId}/{objectType}",
  ],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const workspace = workspaceOf(options);
    const [{ readManifest }, { planSeed }, { changeWords, weighPlan }] = await Promise.all([
      import("./manifest.ts"),
      import("./plan.ts"),
      import("./losses.ts"),
    ]);
    const manifest = await readManifest(context);
    const client = await context.client({ workspace });
    const steps = planSeed(manifest.types, await storedTypes(client, signal));
    const plan = await weighPlan(client, steps, signal);
    const results: SeedResult[] = [];
    let failed = false;
    for (const { step, changes } of plan) {
      const { slug } = step.type;
      const actions = changes.map(changeWords);
      if (step.action === "none") results.push({ slug, state: "already_applied", actions });
      else if (options["dry-run"]) results.push({ slug, state: "planned", actions });
      else if (failed) results.push({ slug, state: "skipped", actions });
      else {
        try {
          await apply(client, step, signal);
          results.push({ slug, state: "applied", actions });
        } catch (error) {
          if (!(error instanceof CatalogError)) throw error;
          failed = true;
          const { code, message, status } = error;
          results.push({ slug, state: "failed", actions, error: { code, message, status } });
        }
      }
    }
    const answer = {
      environment: options.env,
      tenantId: client.tenantId,
      dryRun: options["dry-run"],
      results,
    };
    await output.data(answer, () =>
      output.table(results, [
        { heading: "slug", value: (row) => row.slug },
        { heading: "state", value: (row) => row.state, whole: true },
        { heading: "actions", value: (row) => row.error?.message ?? row.actions.join(", ") },
      ]),
    );
    if (!failed) return exitCodes.done;
    const skipped = results.filter((result) => result.state === "skipped").length;
    await output.note(
      `Not every type was published${skipped === 0 ? "" : `; ${skipped} not tried`}. Help: \`svc types seed --help\``,
    );
    return exitCodes.failed;
  },
});
