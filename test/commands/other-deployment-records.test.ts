import { describeOtherDeployments } from "./other-deployment.ts";

describeOtherDeployments("records");
