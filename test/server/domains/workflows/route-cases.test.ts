import { workflowCases } from "../cases/workflows.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("workflows", workflowCases);
