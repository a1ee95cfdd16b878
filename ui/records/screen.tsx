import { useRouter } from "../shell/use-router.tsx";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { BarsScreen } from "./bars/bars-screen.tsx";
import { ObjectTypesScreen } from "./object-types.tsx";
import { RecordScreen } from "./detail/record-screen.tsx";
import { RecordsScreen } from "./list/records-screen.tsx";

/** Typed records: the Object Types of the workspace, and the records of the one that is open. */
export function ResourcesScreen() {
  const { route } = useRouter();
  const types = useObjectTypes();
  const slug = route.place === "resources" ? route.objectType : undefined;
  const type = types.value?.find((each) => each.slug === slug);
  if (slug === undefined || type === undefined) return <ObjectTypesScreen types={types} />;
  const isBars = route.place === "resources" && route.bars === true;
  if (isBars) return <BarsScreen key={type.slug} type={type} />;
  const recordId = route.place === "resources" ? route.recordId : undefined;
  if (recordId !== undefined) {
    return <RecordScreen key={`${type.slug} ${recordId}`} type={type} id={recordId} />;
  }
  return <RecordsScreen key={type.slug} type={type} />;
}
