import { describeOtherDeployments } from "./other-deployment.ts";

describeOtherDeployments("workspaces");
