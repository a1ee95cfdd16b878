import type { ObjectType, Resource } from "#client/index.ts";
import { headingOf } from "./record-columns.ts";
import { fieldLines, type Field, type StyledLine } from "./styled-lines.ts";
import { statusLook } from "./theme.ts";
import { valueWords } from "./words.ts";

/** The Object Type's actions that a status allows, e.g. `decide → decided`. */
function actionWords(type: ObjectType, status: string): string {
  const ways = (type.actions ?? []).flatMap((action) => {
    const transition = action["transition"];
    if (typeof transition !== "object" || transition === null) return [];
    const from = "from" in transition && Array.isArray(transition.from) ? transition.from : [];
    const to = "to" in transition ? transition.to : undefined;
    return from.includes(status) && typeof to === "string" ? [`${action.name} → ${to}`] : [];
  });
  return ways.length === 0 ? "" : `   (${ways.join(", ")})`;
}

/** A record's properties in the Object Type's order, then others, then the system's own. */
export function recordLines(type: ObjectType, record: Resource, width: number): StyledLine[] {
  const named = Object.keys(type.properties).filter((name) => name in record.data);
  const others = Object.keys(record.data).filter((name) => !(name in type.properties));
  const fields = [...named, ...others].map((name): Field => {
    const value = valueWords(record.data[name]);
    if (name !== "status") return { name: headingOf(name), value };
    const look = statusLook(value);
    return { name, value: `${look.glyph} ${value}${actionWords(type, value)}`, as: look.token };
  });
  const { created_at, created_by, updated_at, updated_by } = record;
  const system: Field[] = [
    { name: "id", value: record.id, as: "quiet" },
    { name: "version", value: String(record.version), as: "quiet" },
    { name: "created", value: `${created_at ?? ""}  ${created_by ?? ""}`, as: "quiet" },
    { name: "updated", value: `${updated_at ?? ""}  ${updated_by ?? ""}`, as: "quiet" },
  ];
  return fieldLines([...fields, ...system], width);
}
