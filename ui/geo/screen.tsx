import { tabbedPlace } from "../kit/places/tabbed-place.tsx";
import { useRoute } from "../shell/router.ts";
import { Datasets } from "./datasets/datasets.ts";
import { FeaturesMap } from "./features/features-map.tsx";
import { Features } from "./features/features.ts";
import { Reports } from "./reports/reports.ts";
import { Results } from "./reports/results.ts";
import { Rows } from "./reports/rows.ts";

const Geo = tabbedPlace("geo", { datasets: Datasets, reports: Reports });

/** The datasets with their features; the reports by place with their rows and results. */
export function GeoScreen() {
  const route = useRoute();
  if (route.place !== "geo") return null;
  const { dataset, map, report, rows } = route;
  if (dataset !== undefined && map === true) return <FeaturesMap dataset={dataset} />;
  if (dataset !== undefined) return <Features key={dataset.id} dataset={dataset} />;
  if (report === undefined) return <Geo />;
  if (rows === undefined) return <Results key={report.id} report={report} />;
  const result = rows === "run" ? undefined : rows;
  return <Rows key={result?.result ?? "run"} report={report} result={result} />;
}
