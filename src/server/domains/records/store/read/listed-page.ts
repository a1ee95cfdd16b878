import type { Condition } from "../../../../database/where/condition.ts";
import type { StoredRecord } from "../record-types.ts";
import type { TypeSource } from "./list-plan.ts";
import type { Projection } from "./projection.ts";
import type { SortKey, SortValue } from "./sort.ts";

export interface RecordPage {
  readonly type: TypeSource;
  readonly condition: Condition | undefined;
  readonly keys: readonly SortKey[];
  /** The page starts after the record with these values. */
  readonly after: readonly SortValue[] | undefined;
  readonly offset: number;
  readonly limit: number;
  /** The properties to read; all of them if absent. */
  readonly projection?: Projection | undefined;
}

export interface ListedRecords {
  readonly records: readonly StoredRecord[];
  /** The values that one of the records was sorted by. */
  valuesAt(index: number): SortValue[];
}
