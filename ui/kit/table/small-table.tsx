import Table from "ink-table";
import { Box } from "ink";
import { clipText } from "../text/text-layout.ts";

export type SmallRow = Readonly<Record<string, string>>;

const maximumRows = 20;

/** Rows of the screen that a table of so many takes: a rule above each, and around its names. */
export function smallTableRows(count: number): number {
  return Math.min(count, maximumRows) * 2 + 3;
}

/**
 * A small fixed table with rules. It draws every row, so it is for a handful only; anything that
 * can grow is a `DataTable`.
 */
export function SmallTable(props: {
  readonly rows: readonly SmallRow[];
  readonly columns: readonly string[];
  /** Longest cell; longer ones are cut. */
  readonly cellWidth: number;
}) {
  const { rows, columns, cellWidth } = props;
  const data = rows
    .slice(0, maximumRows)
    .map((row) =>
      Object.fromEntries(columns.map((name) => [name, clipText(row[name] ?? "", cellWidth)])),
    );
  // Unshrinkable: a table that does not fit is cut at its end, not squeezed to its rules.
  return (
    <Box flexShrink={0} flexDirection="column" height={smallTableRows(data.length)}>
      <Table data={data} columns={[...columns]} />
    </Box>
  );
}
