import { doctorCommand } from "./report.ts";

/** `svc resources storage doctor` (spec 4.7). */
export const resourcesStorageDoctorCommand = doctorCommand(
  "resources storage doctor",
  "Find faults of a workspace's storage, and how to repair them",
);
