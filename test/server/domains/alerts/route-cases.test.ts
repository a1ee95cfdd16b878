import { alertCases } from "../cases/alerts.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("alerts", alertCases);
