import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { tenantKeyOption } from "./stored-types.ts";

export default command({
  path: "types diff",
  summary: "Show what seeding would change, and which values would be lost",
  description:
    "Compares the project's Object Types file with the workspace, and writes nothing. After " +
    "`svc types seed` there is no difference. Types that only the workspace has do not change.",
  rows: ["types"],
  arguments: [],
  options: {
    "tenant-key": tenantKeyOption,
    "tenant-id": tenantOption,
    "fail-on-drift": { type: "boolean", description: "Exit with 1 when there is a difference" },
  },
  calls: ["objectTypes.list", "resources.list"],
  answer: ({ z }) => {
    const change = z.looseObject({
      action: z.enum(["add", "change", "rename", "drop"]),
      part: z.enum(["type", "property", "link", "action"]),
      name: z.string(),
      target: z.string().optional(),
      to: z.string().optional(),
      keywords: z.array(z.string()).optional(),
      dataLoss: z.string(),
    });
    return z.strictObject({
      tenantId: z.string(),
      inSync: z.boolean(),
      losesData: z.boolean(),
      types: z.array(
        z.strictObject({ slug: z.string(), action: z.string(), changes: z.array(change) }),
      ),
      onlyStored: z.array(z.string()),
    });
  },
  examples: ["svc types diff --fail-on-drift --format json"],
  async run({ options }, context) {
    const { output } = context;
    const [{ compareTypes }, { changeWords, doesHarm }] = await Promise.all([
      import("./comparison.ts"),
      import("./losses.ts"),
    ]);
    const { manifest, client, stored, plan } = await compareTypes(context, options);
    const weighed = plan.filter(({ step }) => step.action !== "none");
    const named = new Set(manifest.types.map(({ slug }) => slug));
    const answer = {
      tenantId: client.tenantId,
      inSync: weighed.length === 0,
      losesData: weighed.some(({ changes }) => changes.some(({ dataLoss }) => dataLoss !== "none")),
      types: weighed.map(({ step, changes }) => ({
        slug: step.type.slug,
        action: step.action,
        changes,
      })),
      onlyStored: stored.types.flatMap(({ slug }) => (named.has(slug) ? [] : [slug])).toSorted(),
    };
    await output.data(answer, () =>
      answer.types.flatMap(({ slug, changes }) => [
        output.tone("strong", slug),
        ...changes.map((change) => {
          const words = `  ${changeWords(change)}`;
          return doesHarm(change) ? output.tone("danger", words) : shown`${words}`;
        }),
      ]),
    );
    if (!answer.inSync) return options["fail-on-drift"] ? exitCodes.failed : exitCodes.done;
    await output.note(
      output.tone("dim", `No difference between the workspace and ${manifest.file}`),
    );
    return exitCodes.done;
  },
});
