import { describeOtherDeployments } from "./other-deployment.ts";

describeOtherDeployments("members");
