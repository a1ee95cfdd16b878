import { shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import { maximumPlannedTypes } from "#contract/limits.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";

/** Longest slug (spec part 8). */
const maximumCharacters = 255;

export default command({
  path: "resources indexes-plan",
  summary: "Plan the indexes of Object Types; changes nothing",
  rows: ["objectTypes"],
  arguments: [{ name: "slugs", description: "More Object Types", optional: true, variadic: true }],
  options: {
    "object-type": {
      type: "string",
      required: true,
      repeatable: true,
      placeholder: "slug...",
      description: "Exact slugs of the Object Types, at most 1,000",
    },
    "tenant-id": tenantOption,
  },
  calls: ["storage.indexPlan"],
  answer: "storage.indexPlan",
  examples: ["svc resources indexes-plan --object-type planning-application assess-case"],
  trials: [
    "--object-type street-tree",
    { words: "--object-type street-tree --object-type felling-permit", at: ["other"] },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const objectTypes = [...input.options["object-type"], ...input.arguments.slugs];
    if (objectTypes.length > maximumPlannedTypes) {
      throw usageError(`--object-type is given more than ${maximumPlannedTypes} times`);
    }
    if (objectTypes.some((slug) => slug === "" || slug.length > maximumCharacters)) {
      throw usageError(`--object-type takes 1 to ${maximumCharacters} characters`);
    }
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const plan = await client.storage.indexPlan({ body: { objectTypes }, signal });
    const rows = plan.objectTypes.flatMap(({ objectType, indexes, missing }) => [
      ...indexes.map(({ property, state }) => ({ objectType, property, state, action: "" })),
      ...missing.map(({ property, reason, action }) => ({
        objectType,
        property,
        state: `missing (${reason ?? "defined"})`,
        action,
      })),
    ]);
    await output.data(plan, () =>
      output.table(rows, [
        { heading: "type", value: (row) => row.objectType, whole: true },
        { heading: "property", value: (row) => row.property },
        { heading: "index", value: (row) => row.state, whole: true },
        { heading: "action", value: (row) => row.action },
      ]),
    );
    if (output.isJson || rows.length > 0) return;
    // An answer as JSON is what was sent: an empty list of indexes differs from none.
    const names = /"(?:indexes|missing|actions)":\[/.test(JSON.stringify(plan.objectTypes));
    const silent = "The platform's answer names no indexes, so some may be missing";
    await output.note(names ? shown`No indexes, and none are missing` : shown`${silent}`);
  },
});
