import { verticalCases } from "../cases/verticals.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("verticals", verticalCases);
