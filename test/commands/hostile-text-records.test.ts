import { describeHostileText } from "./hostile-text.ts";

describeHostileText("records");
