import { appCases } from "../cases/apps.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("apps", appCases);
