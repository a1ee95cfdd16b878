import { ListCursors } from "../../../kit/lists/cursors.ts";
import type { PlatformBase } from "../../base.ts";
import { Datasets } from "./datasets.ts";
import { Features } from "./features.ts";
import { Imports } from "./imports/imports.ts";
import { importJobKind, importWork } from "./imports/run-import.ts";
import { DatasetPlaces } from "./places/dataset-places.ts";
import type { ObjectTypeService } from "../../object-types/service.ts";
import { Reports } from "../reports/reports.ts";
import { FeatureRemoval } from "./removal.ts";

export { storeArchivedDataset, storeArchivedFeatures } from "./archived-datasets.ts";

interface GeoParts {
  readonly objectTypes: Pick<ObjectTypeService, "find">;
  /** The number of features that a workspace may still store. */
  readonly roomFor: (workspaceId: string) => Promise<number>;
}

/** Datasets of workspaces, their features, and imports of files into them. */
export class GeoDatasets {
  readonly datasets: Datasets;
  readonly features: Features;
  readonly imports: Imports;
  readonly places: DatasetPlaces;
  readonly reports: Reports;
  /** The kind of job that reads a file into a dataset. */
  readonly kinds;

  private constructor(
    base: PlatformBase,
    removal: FeatureRemoval,
    { objectTypes, roomFor }: GeoParts,
  ) {
    const { secrets, now, blobs } = base;
    const cursors = new ListCursors(secrets.for("geo datasets"));
    this.datasets = new Datasets({ cursors, now, onRetired: removal.wake });
    this.features = new Features({ cursors, now });
    this.imports = new Imports(base);
    this.places = new DatasetPlaces(base);
    this.reports = new Reports({ cursors, objectTypes, now });
    this.kinds = {
      [importJobKind]: importWork({ blobs, now, roomFor, onReleased: removal.wake }),
    };
  }

  /** Makes the service, which removes features that no dataset has. */
  static begin(base: PlatformBase, parts: GeoParts): GeoDatasets {
    const removal = new FeatureRemoval(base);
    removal.start();
    return new GeoDatasets(base, removal, parts);
  }
}
