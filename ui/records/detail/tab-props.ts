import type { ObjectType, Resource } from "#client/index.ts";
import type { Size } from "../../kit/panes/layout.ts";

export interface RecordTabProps {
  readonly type: ObjectType;
  readonly record: Resource;
  readonly area: Size;
  readonly focused: boolean;
}
