import { describeRouteCases } from "../cases/route-tables.ts";
import { realtimeCases } from "../cases/realtime.ts";

describeRouteCases("realtime", realtimeCases);
