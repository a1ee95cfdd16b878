import Table from "ink-table";
import { Box } from "ink";
import { clipText, textWidth } from "../text/text-layout.ts";
import { cellText } from "#lib/text/terminal.ts";

const maximumRows = 20;
/** Columns of a cell's blanks and rule. */
const cellFrame = 3;

/** Rows of the screen for a table of `count` rows: each row has a rule, the heading has two. */
export function smallTableRows(count: number): number {
  return Math.min(count, maximumRows) * 2 + 3;
}

/** Column widths that fit into `room` columns: only the widest are cut, one column at a time. */
export function smallTableWidths(widest: readonly number[], room: number): number[] {
  const widths = [...widest];
  let over = widths.reduce((sum, width) => sum + width + cellFrame, 1) - room;
  for (; over > 0 && Math.max(...widths) > 1; over -= 1) {
    const at = widths.indexOf(Math.max(...widths));
    widths[at] = (widths[at] ?? 1) - 1;
  }
  return widths;
}

/** A table with rules for at most 20 rows. Lists that grow use `DataTable`. */
export function SmallTable(props: {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly columns: readonly string[];
  readonly width: number;
}) {
  const { width } = props;
  const columns = props.columns.map(cellText);
  const rows = props.rows
    .slice(0, maximumRows)
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, text]) => [cellText(name), cellText(text)]),
      ),
    );
  const widest = columns.map((name) =>
    Math.max(textWidth(name), ...rows.map((row) => textWidth(row[name] ?? ""))),
  );
  const widths = smallTableWidths(widest, width);
  const data = rows.map((row) =>
    Object.fromEntries(
      columns.map((name, index) => [name, clipText(row[name] ?? "", widths[index] ?? 1)]),
    ),
  );
  // Does not shrink: a table that does not fit loses its end, not its rows.
  return (
    <Box flexShrink={0} flexDirection="column" height={smallTableRows(data.length)}>
      <Table data={data} columns={columns} />
    </Box>
  );
}
