import type { PageRun } from "./pdf-runs.ts";
import type { PdfPage } from "./pdf-picture.ts";
import type { TaggedCell } from "./tables/pdf-tables.ts";

type StructureTree = NonNullable<Awaited<ReturnType<PdfPage["getStructTree"]>>>;
type StructureNode = StructureTree["children"][number];

/** A structure that leaves out more of the page's letters than this does not have its order. */
const leastShare = 0.9;

interface Block {
  readonly rank: number;
  readonly runs: PageRun[];
}

/** Elements of a structure that means something; some programs mark a page as one piece. */
const paragraphs = /^(?:P|H\d?|L|Title)$/;

export interface StructuredRuns {
  readonly runs: readonly PageRun[];
  /** True if the structure says what is a paragraph, and what is a cell of a table. */
  readonly hasStructure: boolean;
}

/**
 * The runs in the order of the page's structure (ISO 32000-1, 14.7), if it has nearly all of their
 * text. Runs without a place in it, such as headers and page numbers, stay after the text that was
 * drawn before them.
 */
export function inStructureOrder(
  runs: readonly PageRun[],
  tree: StructureTree | null,
): StructuredRuns {
  const unordered = { runs, hasStructure: false };
  if (tree === null) return unordered;
  const { ranks, cells, hasMeaning } = contentsOf(tree);
  const rankOf = ({ content }: PageRun): number | undefined =>
    content === undefined ? undefined : ranks.get(content);
  const letters = lettersOf(runs);
  const ranked = lettersOf(runs.filter((run) => rankOf(run) !== undefined));
  if (letters === 0 || ranked < leastShare * letters) return unordered;
  const placed = hasMeaning
    ? runs.map((run) => ({ ...run, cell: cells.get(run.content ?? "") }))
    : runs;
  const blocks: Block[] = [];
  for (const run of placed) {
    const last = blocks.at(-1);
    const rank = rankOf(run) ?? last?.rank ?? -1;
    if (last?.rank === rank) last.runs.push(run);
    else blocks.push({ rank, runs: [run] });
  }
  const isOrdered = blocks.every(({ rank }, index) => rank >= (blocks[index - 1]?.rank ?? -1));
  if (isOrdered) return { runs: placed, hasStructure: hasMeaning };
  const sorted = blocks.toSorted((one, other) => one.rank - other.rank);
  return { runs: withLineEnds(sorted), hasStructure: hasMeaning };
}

interface Contents {
  /** The place of each marked content in the order of reading. */
  readonly ranks: Map<string, number>;
  /** The cell of each marked content that is in a table. */
  readonly cells: Map<string, TaggedCell>;
  /** False if the structure has no paragraph, or a table whose cells it does not place. */
  hasMeaning: boolean;
}

function contentsOf(tree: StructureTree): Contents {
  const contents: Contents = { ranks: new Map(), cells: new Map(), hasMeaning: false };
  let isPlaced = true;
  let tables = 0;
  const visit = (children: readonly StructureNode[], cell?: TaggedCell): void => {
    for (const node of children) {
      if (!("children" in node)) {
        if (node.type !== "content") continue;
        contents.ranks.set(node.id, contents.ranks.size);
        if (cell !== undefined) contents.cells.set(node.id, cell);
        continue;
      }
      if (paragraphs.test(node.role)) contents.hasMeaning = true;
      // A table within a cell is text of that cell.
      const rows = node.role === "Table" && cell === undefined ? rowsOf(node) : [];
      const isTable = rows.length > 1 && (rows[0]?.length ?? 0) > 1;
      if (!isTable) visit(node.children, cell);
      else {
        // The library does not say how many columns a cell covers.
        isPlaced &&= rows.every(({ length }) => length === rows[0]?.length);
        tables += 1;
        for (const [row, cells] of rows.entries()) {
          for (const [column, each] of cells.entries()) {
            visit(each.children, { table: tables, row, column, isHeading: each.role === "TH" });
          }
        }
      }
    }
  };
  visit(tree.children);
  contents.hasMeaning &&= isPlaced;
  return contents;
}

/** The cells of each row, whatever groups of rows the table has. */
function rowsOf(table: StructureTree): StructureTree[][] {
  return elementsOf(table).flatMap((child) =>
    child.role === "TR"
      ? [elementsOf(child).filter(({ role }) => role === "TH" || role === "TD")]
      : rowsOf(child),
  );
}

function elementsOf({ children }: StructureTree): StructureTree[] {
  return children.filter((child) => "children" in child);
}

function lettersOf(runs: readonly PageRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.replaceAll(" ", "").length, 0);
}

/** A block that was drawn in the middle of a line ends it, unless the next one goes on there. */
function withLineEnds(blocks: readonly Block[]): PageRun[] {
  return blocks.flatMap(({ runs }, index) => {
    const [last, next] = [runs.at(-1), blocks[index + 1]?.runs[0]];
    if (last === undefined || next === undefined) return runs;
    const endsLine = !isContinued(last, next);
    return [...runs.slice(0, -1), { ...last, endsLine }];
  });
}

function isContinued(run: PageRun, next: PageRun): boolean {
  if (run.angle !== 0 || next.angle !== 0) return run.angle === next.angle && !run.endsLine;
  return Math.abs(run.y - next.y) < 0.5 * run.size && next.x >= run.x;
}
