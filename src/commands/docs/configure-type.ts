import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import type { TypeConfiguration } from "#contract/documents/document-types.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { sameJson } from "#lib/json/same.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { filePath, readJsonObject } from "../kit/input/data.ts";

/** The analyzer and the document type of a configuration. */
function partsOf({ documentType, analyzer, fields }: TypeConfiguration) {
  const { key, label, ...type } = documentType;
  const analyzerKey = analyzer ?? key;
  return {
    key,
    analyzerKey,
    analyzer: {
      displayName: type.displayName,
      description: "",
      fields: Object.fromEntries(fields.map(({ name, rules }) => [name, { rules }])),
    },
    type: {
      ...type,
      label: label ?? key,
      analyzer: analyzerKey,
      fields: Object.fromEntries(fields.map(({ name, rules: _rules, ...field }) => [name, field])),
    },
  };
}

/** The names of members that were read back with another value. */
function differences(wanted: JsonObject, stored: JsonObject): string[] {
  return Object.keys(wanted).filter((name) => !sameJson(wanted[name], stored[name]));
}

export default command({
  path: "docs configure-type",
  summary: "Map a document type and its fields to an analyzer",
  description:
    "The file has `documentType` (key, displayName, label), `analyzer` (default: the key of the " +
    "type) and `fields`: name, mode (extract, generate), type, required, threshold and `rules`, " +
    "tried in order (pattern, label-value, table-cell, form, template, model). The stored " +
    "configuration is read back and compared; the exit code is 1 when it differs, or when some " +
    "fields can not be read by this platform.",
  arguments: [],
  options: {
    file: { ...textOption("configuration.json", "File with the configuration"), required: true },
    "tenant-id": tenantOption,
  },
  calls: [
    "documentTypes.putAnalyzer",
    "documentTypes.put",
    "documentTypes.getAnalyzer",
    "documentTypes.get",
  ],
  answer: ({ z, reply }) =>
    z.strictObject({
      documentType: reply("documentTypes.get"),
      analyzer: reply("documentTypes.getAnalyzer"),
      verified: z.boolean(),
      runtimeSync: z.looseObject({
        status: z.string(),
        fields: z
          .array(
            z.looseObject({ field: z.string(), status: z.string(), reason: z.string().optional() }),
          )
          .optional(),
      }),
    }),
  trials: ["--file type.json"],
  async run(input, context) {
    const { output, signal } = context;
    const file = filePath(input.options.file);
    const given = await readJsonObject(context, { file });
    const { typeConfiguration } = await import("#contract/documents/document-types.ts");
    const { checkedFile } = await import("../kit/input/checked-file.ts");
    const wanted = partsOf(checkedFile(typeConfiguration, given, file));
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const analyzerParams = { analyzerKey: wanted.analyzerKey };
    const typeParams = { typeKey: wanted.key };
    // The analyzer first, so that the type never names one that does not exist.
    await client.documentTypes.putAnalyzer({
      params: analyzerParams,
      body: wanted.analyzer,
      signal,
    });
    await client.documentTypes.put({ params: typeParams, body: wanted.type, signal });
    const [analyzer, documentType] = await Promise.all([
      client.documentTypes.getAnalyzer({ params: analyzerParams, signal }),
      client.documentTypes.get({ params: typeParams, signal }),
    ]);
    const differing = [
      ...differences(wanted.analyzer, analyzer).map((name) => `analyzer.${name}`),
      ...differences(wanted.type, documentType).map((name) => `documentType.${name}`),
    ];
    const runtimeSync = documentType.runtime ?? { status: "unknown", fields: [] };
    const answer = { documentType, analyzer, verified: differing.length === 0, runtimeSync };
    await output.data(answer, () => [
      ...output.fields([
        ["document type", `${wanted.key} (version ${documentType.version ?? "?"})`],
        ["analyzer", `${wanted.analyzerKey} (version ${analyzer.version ?? "?"})`],
        ["label", documentType.label],
        ["read back", differing.length === 0 ? "as configured" : differing.join(", ")],
        ["runtime", runtimeSync.status],
      ]),
      shown``,
      ...output.table(runtimeSync.fields ?? [], [
        { heading: "field", value: ({ field }) => field, whole: true },
        { heading: "status", value: ({ status }) => status, whole: true },
        { heading: "mode", value: ({ field }) => modeOf(documentType.fields?.[field]) },
        { heading: "reason", value: ({ reason }) => reason, optional: true },
      ]),
    ]);
    if (differing.length > 0) {
      const details = `the configuration was stored differently: ${differing.join(", ")}`;
      throw catalogError("E205", { details });
    }
    if (runtimeSync.status === "applied") return exitCodes.done;
    await output.note(shown`The runtime has applied only a part: see the fields`);
    return exitCodes.failed;
  },
});

function modeOf(field: unknown): string | undefined {
  return isJsonObject(field) && typeof field["mode"] === "string" ? field["mode"] : undefined;
}
