import { describeDeployments } from "./other-deployment.ts";

describeDeployments("records");
