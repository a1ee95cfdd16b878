import { doctorCommand } from "./storage/report.ts";

export const resourcesDoctorCommand = doctorCommand(
  "resources doctor",
  "Find faults of records, their indexes and files",
);
