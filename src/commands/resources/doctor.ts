import { doctorCommand } from "./storage/report.ts";

/** `svc resources doctor` (spec 4.7). */
export const resourcesDoctorCommand = doctorCommand(
  "resources doctor",
  "Find faults of records, their indexes and files",
);
