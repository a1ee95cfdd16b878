import { workspaceCases } from "../cases/workspaces.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("workspaces", workspaceCases);
