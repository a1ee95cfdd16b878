import { doctorCommand } from "./report.ts";

export const resourcesStorageDoctorCommand = doctorCommand(
  "resources storage doctor",
  "Find faults of a workspace's storage, and how to repair them",
);
