import { describeDeployments } from "./other-deployment.ts";

describeDeployments("workspaces");
