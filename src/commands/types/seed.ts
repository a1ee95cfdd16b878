import { Shown, shown } from "#cli/shown.ts";
import { CatalogError, catalogError, exitCodes } from "#contract/errors.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command, dryRunOption } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { publishOneByOne, publishTogether } from "./publish.ts";
import { tenantKeyOption } from "./stored-types.ts";

/** Schema sync result states (spec 2.11), and `failed`. */
type SeedState = "planned" | "applied" | "already_applied" | "skipped" | "failed";

interface SeedResult {
  readonly slug: string;
  readonly state: SeedState;
  readonly actions: readonly string[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    /** HTTP status of the response, if there was one. */
    readonly status?: number | undefined;
  };
}

export default command({
  path: "types seed",
  summary: "Publish the project's Object Types to a workspace",
  description:
    "Publishes all types of the file, or none. On a deployment that accepts types only one by " +
    "one, a refusal reverts the changed types; new types stay.",
  rows: ["results"],
  arguments: [],
  options: {
    env: {
      type: "string",
      default: "dev",
      description: "Environment to publish to: if given, the profile with this name",
    },
    "tenant-key": tenantKeyOption,
    "tenant-id": tenantOption,
    "dry-run": dryRunOption,
  },
  calls: [
    "objectTypes.list",
    "objectTypes.create",
    "objectTypes.update",
    "objectTypes.batch",
    "resources.list",
  ],
  answer: ({ z }) =>
    z.strictObject({
      environment: z.string(),
      tenantId: z.string(),
      dryRun: z.boolean(),
      results: z.array(
        z.strictObject({
          slug: z.string(),
          state: z.string(),
          actions: z.array(z.string()).optional(),
          error: z
            .strictObject({ code: z.string(), message: z.string(), status: z.int().optional() })
            .optional(),
        }),
      ),
    }),
  examples: ["svc types seed --dry-run", "svc types seed"],
  trials: ["--dry-run", ""],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const [{ compareTypes }, { changeWords }] = await Promise.all([
      import("./comparison.ts"),
      import("./losses.ts"),
    ]);
    const target = input.given.has("env") ? await inEnvironment(context, options.env) : context;
    const { manifest, client, stored, plan } = await compareTypes(target, options);
    const steps = plan.map(({ step }) => step).filter(({ action }) => action !== "none");
    const publish = stored.atomicBatch ? publishTogether : publishOneByOne;
    const isDryRun = options["dry-run"] || steps.length === 0;
    const published = isDryRun
      ? undefined
      : await publish(client, steps, signal).catch(async (error: unknown) => {
          if (isUnknown(error)) await output.note(shown`${unknownWords("types were")}`);
          throw error;
        });
    const unknown: string[] = [];
    const results = plan.map(({ step, changes }): SeedResult => {
      const { slug } = step.type;
      const actions = changes.map(changeWords);
      if (step.action === "none") return { slug, state: "already_applied", actions };
      const { state, error } = published?.get(slug) ?? { state: "planned" };
      if (error === undefined) return { slug, state, actions };
      const { code, message, status } = error;
      if (isUnknown(error)) unknown.push(slug);
      return { slug, state, actions, error: { code, message, status } };
    });
    const failed = results.some(({ state }) => state === "failed");
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
    if (results.length === 0 && !output.isJson) {
      await output.note(shown`No Object Types in ${manifest.file}: nothing to publish`);
    }
    if (!failed) return exitCodes.done;
    const kept = results.filter(({ state }) => state === "applied").map(({ slug }) => slug);
    const words = [
      ...(kept.length === 0
        ? []
        : [`This platform publishes types one by one, and these stay: ${kept.join(", ")}.`]),
      ...(unknown.length === 0 ? [] : [unknownWords(`${unknown.join(", ")} was`)]),
    ];
    const none = "Nothing was published: the workspace did not change.";
    await output.note(Shown.joined(words.length === 0 ? [none] : words, "\n"));
    return exitCodes.failed;
  },
});

/** The context with the platform, workspace and sign-in of a profile. Throws E006 without it. */
async function inEnvironment(context: CommandContext, name: string): Promise<CommandContext> {
  const chosen = context.withProfile(name);
  const { profile, configDirectory } = await chosen.settings();
  const { readProfile } = await import("#local/configuration/profiles.ts");
  const place = { configDirectory: configDirectory.value, profile: profile.value };
  if (Object.keys(await readProfile(place)).length > 0) return chosen;
  const hint = `Make it with \`svc login --profile ${shellWord(name)}\``;
  throw catalogError("E006", { details: `there is no profile ${name} for --env` }, { hint });
}

function unknownWords(subject: string): string {
  return `Whether ${subject} published is unknown: check with \`svc types diff\`.`;
}

/** Returns whether a failed write may have taken effect. A refusal and 507 rule that out. */
function isUnknown(error: unknown): boolean {
  const status = error instanceof CatalogError ? error.status : undefined;
  if (status === undefined || status < 300 || status === 408) return true;
  return status >= 500 && status !== 507;
}
