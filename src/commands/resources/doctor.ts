import { command } from "../command.ts";
import { runDiagnosis, storageOptions } from "./storage-report.ts";

/** `svc resources doctor` (spec 4.7). */
export const resourcesDoctorCommand = command({
  path: "resources doctor",
  summary: "Find what is wrong with records, their indexes and files",
  arguments: [],
  options: storageOptions,
  routes: ["GET /v4/data/resources/{tenantId}/storage/doctor"],
  run: (input, context) => runDiagnosis(context, input.options["tenant-id"]),
});
