import { doctorCommand } from "./storage/diagnosis.ts";

export default doctorCommand("resources doctor", "Find faults of records, their indexes and files");
