import { describeHostileText } from "./hostile-text.ts";

describeHostileText("workspaces");
