import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";

/** `svc types validate`: local only, no sign-in and no network (spec 4.7). */
export default command({
  path: "types validate",
  summary: "Check the project's Object Types file",
  rows: ["objectTypes"],
  arguments: [],
  options: {},
  answer: ({ z }) =>
    z.strictObject({
      valid: z.literal(true),
      file: z.string(),
      objectTypes: z.array(z.looseObject({ slug: z.string() })),
      foreignTargets: z
        .array(z.strictObject({ pointer: z.string(), target: z.string() }))
        .optional(),
    }),
  async run(_input, context) {
    const { foreignTargets, readManifest } = await import("./manifest.ts");
    const { output } = context;
    const manifest = await readManifest(context);
    const rows = manifest.types.map((type) => ({
      name: type.name,
      slug: type.slug,
      properties: Object.keys(type.properties).length,
      links: type.linkTypes.length,
    }));
    const targets = foreignTargets(manifest.types);
    const answer = {
      valid: true,
      file: manifest.file,
      objectTypes: rows,
      ...(targets.length === 0 ? {} : { foreignTargets: targets }),
    };
    await output.data(answer, () =>
      output.table(rows, [
        { heading: "name", value: (row) => row.name },
        { heading: "slug", value: (row) => row.slug },
        { heading: "properties", value: (row) => row.properties, align: "right" },
        { heading: "links", value: (row) => row.links, align: "right" },
      ]),
    );
    for (const { pointer, target } of targets) {
      const next = "`svc types diff` checks whether it is stored";
      await output.note(shown`${pointer} "${target}" is not in the file: ${next}`);
    }
    const none = rows.length === 0 ? ", but has no Object Types" : "";
    await output.note(output.tone("dim", `${manifest.file} is valid${none}`));
  },
});
