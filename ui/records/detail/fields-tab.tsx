import { useAgeTime } from "../../kit/keys/use-keys.ts";
import { useMemo, useState } from "react";
import { CursorLines } from "../../kit/text/cursor-lines.tsx";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { ofWork, shownTypesName } from "../../shell/platform/shown-types.ts";
import { useNames } from "../../shell/platform/names.ts";
import { referenceNamesPart } from "../reference-names.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import { usePart } from "../../kit/state/part.ts";
import { routerPart } from "../../shell/router.ts";
import type { AnyHandlers } from "../../kit/keys/key-bindings.ts";
import { recordLines } from "./record-words.ts";
import { referencesIn, referringNames, type RecordReference } from "../record-references.ts";
import type { RecordTabProps } from "./tab-props.ts";

const noReferences: readonly RecordReference[] = [];
const nothingUnfolded: ReadonlySet<string> = new Set();

/** A record field by field: references open their records, nested values unfold. */
export function FieldsTab(props: RecordTabProps & { readonly onFile: () => void }) {
  const { type, record, area, focused, onFile } = props;
  const { go } = usePart(routerPart);
  const nowMs = useAgeTime(record);
  const nameOf = useNames(memberNamesPart, [record.created_by, record.updated_by]);
  const [folds, setFolds] = useState({ of: record.id, unfolded: nothingUnfolded });
  const unfolded = folds.of === record.id ? folds.unfolded : nothingUnfolded;
  const width = area.width - 2;
  const names = useMemo(() => referringNames(type), [type]);
  const references = useMemo(() => {
    return names.length === 0 ? noReferences : referencesIn(type, record);
  }, [names, type, record]);
  const recordNameOf = useNames(referenceNamesPart, references);
  const [{ configuration }] = useRemembered(shownTypesName, ofWork);
  const hidesIds = !configuration;
  const lines = useMemo(() => {
    const view = { margin: " ", width, nowMs, unfolded, nameOf, recordNameOf, hidesIds };
    return recordLines(type, record, view);
  }, [type, record, width, nowMs, unfolded, nameOf, recordNameOf, hidesIds]);
  const spans = useMemo(() => lines.map((line) => line.spans), [lines]);
  const fold = (place: string, open: boolean) =>
    setFolds((now) => {
      const next = new Set(now.of === record.id ? now.unfolded : []);
      if (open) next.add(place);
      else next.delete(place);
      return { of: record.id, unfolded: next };
    });
  const handlersAt = (index: number): AnyHandlers => {
    const action = lines[index]?.action;
    if (action === undefined) return {};
    if (action.kind === "file") return { open: onFile };
    if (action.kind === "record") {
      const { objectType, id } = action;
      return { open: () => go({ place: "resources", objectType, recordId: id }) };
    }
    const { place } = action;
    return {
      open: () => fold(place, !unfolded.has(place)),
      right: () => fold(place, true),
      left: () => fold(place, false),
    };
  };
  return (
    <CursorLines lines={spans} {...area} focused={focused} of={record.id} handlersAt={handlersAt} />
  );
}
