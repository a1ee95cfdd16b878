import type { Client } from "#client/surface.ts";
import { catalogError, CatalogError, exitCodes } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types.ts";
import { command, tenantOption } from "../command.ts";
import type { SeedStep } from "./manifest.ts";

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

const maximumStoredTypes = 10_000;

/** Every stored type of the workspace, page after page in ID order. */
async function storedTypes(client: Client, signal: AbortSignal): Promise<ObjectType[]> {
  const types: ObjectType[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.objectTypes.list({
      query: { limit: 500, ...(cursor === undefined ? {} : { cursor }) },
      signal,
    });
    types.push(...page.items);
    cursor = page.hasNextPage === true ? (page.nextCursor ?? undefined) : undefined;
  } while (cursor !== undefined && types.length < maximumStoredTypes);
  return types;
}

function actionsOf(step: SeedStep): string[] {
  if (step.action === "create") return [`create ${step.type.slug}`];
  if (step.action === "none") return [];
  const before = new Set(Object.keys(step.stored.properties));
  const after = new Set(Object.keys(step.type.properties));
  const added = [...after.difference(before)].map((name) => `add property ${name}`);
  const dropped = [...before.difference(after)].map((name) => `drop property ${name}`);
  return [...added, ...dropped, `update ${step.type.slug}`];
}

async function apply(client: Client, step: SeedStep, signal: AbortSignal): Promise<void> {
  if (step.action === "create") await client.objectTypes.create({ body: step.type, signal });
  if (step.action !== "update") return;
  const { slug: _slug, ...definition } = step.type;
  await client.objectTypes.update({
    params: { objectTypeId: step.stored.id },
    body: {
      ...definition,
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
    "tenant-key": {
      type: "string",
      placeholder: "slug",
      description: "Workspace by slug, instead of --tenant-id",
    },
    "tenant-id": tenantOption,
    "dry-run": { type: "boolean", description: "Only say what would be done" },
  },
  routes: [
    "GET /v4/data/resources/object-types",
    "POST /v4/data/resources/object-types",
    "PATCH /v4/data/resources/object-types/{objectTypeId}",
  ],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    if (options["tenant-id"] !== undefined && options["tenant-key"] !== undefined) {
      throw catalogError(
        "E305",
        { details: "--tenant-id and --tenant-key exclude each other" },
        { exitCode: exitCodes.usage },
      );
    }
    const { planSeed, readManifest } = await import("./manifest.ts");
    const manifest = await readManifest(context);
    const client = await context.client({
      workspace: options["tenant-id"] ?? options["tenant-key"],
    });
    const plan = planSeed(manifest.types, await storedTypes(client, signal));
    const results: SeedResult[] = [];
    let failed = false;
    for (const step of plan) {
      const { slug } = step.type;
      const actions = actionsOf(step);
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
