import Table from "ink-table";
import { Box } from "ink";
import { clipText } from "../text/text-layout.ts";

const maximumRows = 20;

/** Rows of the screen for a table of `count` rows: each row has a rule, the heading has two. */
export function smallTableRows(count: number): number {
  return Math.min(count, maximumRows) * 2 + 3;
}

/** A table with rules for at most 20 rows. Lists that grow use `DataTable`. */
export function SmallTable(props: {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly columns: readonly string[];
  /** Longer cells are cut. */
  readonly cellWidth: number;
}) {
  const { rows, columns, cellWidth } = props;
  const data = rows
    .slice(0, maximumRows)
    .map((row) =>
      Object.fromEntries(columns.map((name) => [name, clipText(row[name] ?? "", cellWidth)])),
    );
  // Does not shrink: a table that does not fit loses its end, not its rows.
  return (
    <Box flexShrink={0} flexDirection="column" height={smallTableRows(data.length)}>
      <Table data={data} columns={[...columns]} />
    </Box>
  );
}
