import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { printRows, fieldsNamed } from "../kit/output/rows.ts";
import type { Block } from "../kit/blocks/block.ts";
import {
  blockSchema,
  couplings,
  groupings,
  lanes,
  packageProfiles,
  readinessStates,
} from "../kit/blocks/values.ts";
import type { Grouping } from "../kit/blocks/values.ts";

const memberOf = {
  lane: "lane",
  package: "package",
  coupling: "coupling",
  profile: "packageProfile",
  readiness: "readiness",
} as const satisfies Record<Grouping, keyof Block>;

/** `svc blocks list`: the building blocks of this product and of the project (spec 4.7). */
export default command({
  path: "blocks list",
  summary: "List building blocks: routes, commands and templates",
  description:
    "The catalog is computed from the interface, the commands and the templates of this version. " +
    "A project's own blocks come from `src/eai.config/blocks.json`.",
  arguments: [],
  formats: "rows",
  options: {
    lane: { type: "string", values: lanes, description: "Only blocks of this lane" },
    coupling: {
      type: "string",
      placeholder: "coupling",
      values: couplings,
      description: "Only blocks with this coupling to the platform",
    },
    readiness: {
      type: "string",
      placeholder: "readiness",
      values: readinessStates,
      description: "Only blocks in this state",
    },
    "package-profile": {
      type: "string",
      values: packageProfiles,
      description: "Only blocks for projects of this package profile",
    },
    custom: { type: "boolean", description: "Only the project's own blocks" },
    "group-by": {
      type: "string",
      placeholder: "member",
      values: groupings,
      default: "lane",
      description: "Order and group the rows by this member",
    },
  },
  answer: ({ z }) =>
    z.strictObject({
      groupBy: z.string(),
      groups: z.array(z.strictObject({ name: z.string(), blocks: z.array(blockSchema(z)) })),
      total: z.int(),
    }),
  examples: ["svc blocks list", "svc blocks list --readiness preview --group-by coupling"],
  trials: ["", "--group-by package"],
  async run({ options }, context) {
    const { output } = context;
    const { builtInBlocks, customBlocks } = await import("../kit/blocks/catalog.ts");
    const own = await customBlocks(context);
    const all = options.custom ? own : [...(await builtInBlocks(context)), ...own];
    const rows = all.filter(
      (block) =>
        (options.lane ?? block.lane) === block.lane &&
        (options.coupling ?? block.coupling) === block.coupling &&
        (options.readiness ?? block.readiness) === block.readiness &&
        (options["package-profile"] ?? block.packageProfile) === block.packageProfile,
    );
    const member = memberOf[options["group-by"]];
    const order: readonly string[] = [...lanes, ...couplings, ...readinessStates];
    const groups = [...Map.groupBy(rows, (block) => block[member])].toSorted(
      ([left], [right]) => order.indexOf(left) - order.indexOf(right),
    );
    const sorted = groups.flatMap(([, blocks]) => blocks);
    await printRows(output, {
      rows: sorted,
      fields: undefined,
      csvFields: fieldsNamed<Block>("id", "lane", "coupling", "readiness", "packageProfile"),
      none: options.custom ? "The project defines no blocks" : "No blocks match",
      answer: () => ({
        groupBy: options["group-by"],
        groups: groups.map(([name, blocks]) => ({ name, blocks })),
        total: sorted.length,
      }),
      columns: () =>
        groups.flatMap(([name, blocks], index) => [
          ...(index === 0 ? [] : [shown``]),
          output.tone("strong", `${name} (${blocks.length})`),
          ...output.table(blocks, [
            { heading: "id", value: (block) => block.id, whole: true },
            { heading: "lane", value: (block) => block.lane, optional: true },
            { heading: "coupling", value: (block) => block.coupling, optional: true },
            { heading: "readiness", value: (block) => block.readiness },
            { heading: "profile", value: (block) => block.packageProfile, optional: true },
          ]),
        ]),
    });
  },
});
