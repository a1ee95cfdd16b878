import { command } from "../../command.ts";
import { runDiagnosis, storageOptions } from "../storage-report.ts";

/** `svc resources storage doctor` (spec 4.7). */
export const resourcesStorageDoctorCommand = command({
  path: "resources storage doctor",
  summary: "Find what is wrong in a workspace's storage, and what mends it",
  arguments: [],
  options: storageOptions,
  routes: ["GET /v4/data/resources/{tenantId}/storage/doctor"],
  run: (input, context) => runDiagnosis(context, input.options["tenant-id"]),
});
