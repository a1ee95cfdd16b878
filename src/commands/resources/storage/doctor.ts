import { doctorCommand } from "./diagnosis.ts";

export default doctorCommand(
  "resources storage doctor",
  "Find faults of a workspace's storage, and how to repair them",
);
