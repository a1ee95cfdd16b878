import Table from "ink-table";
import { clipText } from "../text-layout.ts";

export type SmallRow = Readonly<Record<string, string>>;

const maximumRows = 20;

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
  return <Table data={data} columns={[...columns]} />;
}
