import { textOption } from "#cli/command.ts";
import { maximumPage } from "#contract/limits.ts";
import { usageError } from "#cli/errors.ts";
import { shown, type Shown } from "#cli/shown.ts";
import type { Documents } from "#client/documents/documents.ts";
import type { DocumentPage, DocumentTable } from "#contract/documents/records.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { contentDescription, contentTarget, writeContent } from "../kit/output/content.ts";
import { documentArgument } from "./arguments.ts";
import type { CommandContext } from "../kit/context.ts";

/** The part of a document to show, and the page that it is limited to. */
interface Wanted {
  readonly documentId: string;
  readonly page: number | undefined;
}

/** The parts that are printed, and not bytes. */
const printed = { text: showText, tables: showTables, words: showWords };

const tablesAtATime = 50;

export default command({
  path: "docs content",
  summary: "Fetch the original file of a document, its text, its tables or a page's picture",
  description:
    `${contentDescription} With \`--as text\` it prints the extracted text, page by page, and ` +
    "with `--as tables` the tables; their JSON has the place of each cell. `--as words` prints " +
    "the words of one page with their boxes. `--as picture` fetches a scanned page as PNG.",
  arguments: [documentArgument],
  options: {
    "tenant-id": tenantOption,
    as: {
      type: "string",
      values: ["file", "text", "tables", "words", "picture"],
      default: "file",
      description: "Part of the document",
    },
    page: {
      type: "number",
      minimum: 1,
      maximum: maximumPage,
      description: "Only this page, with another `--as` than `file`",
    },
    width: {
      type: "number",
      minimum: 16,
      maximum: 2_000,
      description: "Width of the picture in dots at most, 1000 without",
    },
    output: textOption("path", "File to write, or a folder to write into; `-` is stdout"),
  },
  calls: ["documents.content", "documents.page", "documents.picture", "documents.tables"],
  answer: async ({ z }) => {
    const { documentTable } = await import("#contract/documents/records.ts");
    const documentId = z.string();
    return z.union([
      z.strictObject({
        documentId,
        output: z.string(),
        size: z.int(),
        filename: z.string().optional(),
        contentType: z.string().optional(),
        sha256: z.string().optional(),
        verified: z.boolean(),
      }),
      z.strictObject({
        documentId,
        pages: z.array(z.strictObject({ page: z.int(), text: z.string() })),
      }),
      z.strictObject({ documentId, tables: z.array(documentTable) }),
      z.strictObject({
        documentId,
        page: z.int(),
        width: z.number().optional(),
        height: z.number().optional(),
        words: z.array(
          z.looseObject({ word: z.string(), x: z.number(), y: z.number(), width: z.number() }),
        ),
      }),
    ]);
  },
  examples: [
    "svc docs content DOC-2026-000001 --output plans.pdf",
    "svc docs content DOC-2026-000001 > plans.pdf",
    "svc docs content DOC-2026-000001 --as tables",
  ],
  trials: [
    "{document} --output {folder}/plan.out",
    {
      words: "{document} --as text",
      after: ["docs job {job} --wait --timeout 20"],
      isAddition: true,
    },
    { words: "{document} --as tables --page 1", isAddition: true },
    {
      words: "{document} --as words --page 1",
      after: ["docs job {job} --wait --timeout 20"],
      isAddition: true,
    },
    {
      words: "{document} --as picture --page 1 --output {folder}/page.png",
      isAddition: true,
      at: ["stub"],
    },
  ],
  async run(input, context) {
    const { documentId } = input.arguments;
    const { as, page, width, output } = input.options;
    const { signal } = context;
    refuseOthers(input.options);
    const target = as in printed ? undefined : contentTarget(context, output);
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const documents = client.useDocuments();
    switch (as) {
      case "file":
        return writeContent(context, await documents.content(documentId, { signal }), target, {
          documentId,
        });
      case "picture": {
        const picture = await documents.picture(documentId, page ?? 1, { width, signal });
        return writeContent(context, picture, target, { documentId });
      }
      default:
        return printed[as](context, documents, { documentId, page });
    }
  },
});

/** Prints the extracted text, page by page. */
async function showText(
  { output, signal }: CommandContext,
  documents: Documents,
  { documentId, page }: Wanted,
): Promise<void> {
  const first = await documents.page(documentId, page ?? 1, { signal });
  const pages: DocumentPage[] = [first];
  const last = page === undefined ? (first.pages ?? 1) : page;
  for (let number = (page ?? 1) + 1; number <= last; number += 1) {
    pages.push(await documents.page(documentId, number, { signal }));
  }
  const answer = {
    documentId: first.documentId,
    pages: pages.map((each) => ({ page: each.page, text: each.text })),
  };
  await output.data(answer, () =>
    pages.flatMap((each) => [
      ...(pages.length === 1 ? [] : [output.tone("dim", `page ${each.page}`)]),
      ...each.text.split("\n").map((line) => shown`${line}`),
      ...(pages.length === 1 ? [] : [shown``]),
    ]),
  );
}

/** Prints each word of a page with its box, in units of the page. */
async function showWords(
  { output, signal }: CommandContext,
  documents: Documents,
  { documentId, page = 1 }: Wanted,
): Promise<void> {
  const read = await documents.page(documentId, page, { signal, words: true });
  const { text, width, height } = read;
  const words = (read.words ?? []).map((word) => ({
    word: text.slice(word.start, word.end),
    ...word,
  }));
  const answer = { documentId: read.documentId, page: read.page, width, height, words };
  await output.data(answer, () =>
    output.table(words, [
      { heading: "word", value: ({ word }) => word },
      { heading: "start", value: ({ start }) => start, align: "right" },
      { heading: "x", value: ({ x }) => x, align: "right" },
      { heading: "y", value: ({ y }) => y, align: "right" },
      { heading: "width", value: (word) => word.width, align: "right" },
      { heading: "height", value: (word) => word.height, align: "right" },
    ]),
  );
  if (words.length === 0 && !output.isJson) {
    await output.note(
      shown`The page has no words with places: only PDF files and pictures have them`,
    );
  }
}

/** Prints the tables of a document. */
async function showTables(
  { output, signal }: CommandContext,
  documents: Documents,
  { documentId, page: ofPage }: Wanted,
): Promise<void> {
  const tables: DocumentTable[] = [];
  for (let page = 1, hasNext = true; hasNext; page += 1) {
    const list = await documents.tables(documentId, { ofPage, page, limit: tablesAtATime, signal });
    tables.push(...list.items);
    hasNext = list.hasNextPage === true && list.items.length > 0;
  }
  await output.data({ documentId, tables }, () => tables.flatMap((table) => lines(output, table)));
  if (tables.length === 0 && !output.isJson) await output.note(shown`No tables were found`);
}

/** The headings of a table are those of its last heading row. */
function lines(output: CommandContext["output"], { table, page, header, rows }: DocumentTable) {
  const headings = rows[header - 1] ?? [];
  const columns = (rows[0] ?? []).map((_, index) => ({
    heading: headings[index]?.text ?? "",
    value: (row: DocumentTable["rows"][number]) => row[index]?.text,
  }));
  const all: Shown[] = [
    output.tone("dim", `table ${table} on page ${page}`),
    ...output.table(header > 0 ? rows.slice(header) : rows, columns),
    shown``,
  ];
  return all;
}

/** Refuses options that belong to another part of the document. */
function refuseOthers(options: {
  readonly as: string;
  readonly page?: number | undefined;
  readonly width?: number | undefined;
  readonly output?: string | undefined;
}): void {
  const { as, page, width, output } = options;
  if (output !== undefined && as in printed) {
    throw usageError("--output saves the file or a picture only", "Leave out --as or --output");
  }
  if (page !== undefined && as === "file") {
    throw usageError("--page belongs to a part of the document", "Add --as, such as --as text");
  }
  if (width !== undefined && as !== "picture") {
    throw usageError("--width belongs to a picture", "Add --as picture or leave out --width");
  }
}
