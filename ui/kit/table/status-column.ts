import { statusLook, statusWords } from "../theme/theme.ts";
import type { Column } from "./columns.ts";

interface StatusColumn<Row> {
  readonly priority: number;
  readonly title?: string;
  readonly minimum?: number;
  readonly of: (row: Row) => string | undefined;
}

/** A column of statuses, each with its glyph and colour. */
export function statusColumn<Row>(column: StatusColumn<Row>): Column<Row> {
  const { of, priority, title = "status", minimum = 9 } = column;
  return {
    id: "status",
    title,
    value: (row) => {
      const status = of(row);
      return status === undefined ? "" : `${statusLook(status).glyph} ${statusWords(status)}`;
    },
    token: (row) => {
      const status = of(row);
      return status === undefined ? undefined : statusLook(status).token;
    },
    priority,
    minimum,
  };
}
