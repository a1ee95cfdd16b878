import type { ObjectType, Resource } from "#client/index.ts";
import type { Size } from "../../kit/panes/layout.ts";

/** What every tab of a record's details is given. */
export interface RecordTabProps {
  readonly type: ObjectType;
  readonly record: Resource;
  readonly area: Size;
  readonly focused: boolean;
}
