import { shown } from "#cli/shown.ts";
import type { AuditEntry } from "#contract/workspaces/audit.ts";
import { saveAtomically } from "#lib/files/atomic-write.ts";
import { command } from "../kit/command.ts";
import { wholeOutputPath } from "../kit/input/files.ts";
import {
  entriesWords,
  filterOf,
  filterOptions,
  logClient,
  logOptions,
  logRoutes,
  wholeLog,
} from "./entries.ts";
import { written } from "../kit/output/written.ts";

export default command({
  path: "audit export",
  summary: "Save an audit log from its first entry as NDJSON, one line for each",
  description:
    "Reads page after page in constant memory; the file appears once it is complete. `svc audit " +
    "verify --input` checks an export without filters.",
  arguments: [],
  options: {
    output: {
      type: "string",
      required: true,
      placeholder: "file",
      description: "The file to write; an existing one is replaced",
    },
    ...logOptions,
    ...filterOptions,
  },
  calls: logRoutes,
  answer: ({ z }) =>
    z.strictObject({ output: z.string(), entries: z.int(), head: z.string().nullable() }),
  examples: ["svc audit export --output audit.ndjson --since 30d"],
  trials: ["--output {folder}/audit.ndjson"],
  async run({ options }, context) {
    const { output, signal } = context;
    const filter = filterOf(options);
    const client = await logClient(context, options);
    const path = wholeOutputPath(context, options.output);
    let count = 0;
    let head: string | null = null;
    const note = async (items: readonly AuditEntry[]): Promise<void> => {
      count += items.length;
      const last = items.at(-1);
      if (last !== undefined) head = `${last.sequence}:${last.digest}`;
      await output.progress(entriesWords(count));
    };
    const lines = linesOf(wholeLog(client, options.platform, filter, signal), note);
    await written(path, () => saveAtomically(path, lines));
    await output.data({ output: path, entries: count, head }, () => [
      shown`${entriesWords(count)} in ${path}`,
    ]);
  },
});

async function* linesOf(
  pages: AsyncIterable<readonly AuditEntry[]>,
  note: (items: readonly AuditEntry[]) => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const items of pages) {
    yield encoder.encode(items.map((item) => `${JSON.stringify(item)}\n`).join(""));
    await note(items);
  }
}
