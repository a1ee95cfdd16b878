import { useRoute } from "../shell/router.ts";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { BarsScreen } from "./bars/bars-screen.tsx";
import { ObjectTypesScreen } from "./object-types.ts";
import { RecordScreen } from "./detail/record-screen.tsx";
import { DeletedRecordsScreen } from "./deleted/deleted-screen.tsx";
import { MapScreen } from "./map/map-screen.tsx";
import { RecordsScreen } from "./list/records-screen.tsx";

/** The Object Types of the workspace, the records of one, their bars or map, or one record. */
export function ResourcesScreen() {
  const route = useRoute();
  const types = useObjectTypes();
  if (route.place !== "resources") return null;
  const { objectType: slug, bars, map, deleted, recordId } = route;
  const type = types.value?.find((each) => each.slug === slug);
  if (type === undefined) return <ObjectTypesScreen types={types} />;
  if (deleted === true) return <DeletedRecordsScreen key={slug} type={type} />;
  if (map === true) return <MapScreen key={slug} type={type} />;
  if (bars === true) return <BarsScreen key={slug} type={type} />;
  if (recordId === undefined) return <RecordsScreen key={slug} type={type} />;
  return <RecordScreen key={`${slug} ${recordId}`} type={type} id={recordId} />;
}
