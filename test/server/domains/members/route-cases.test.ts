import { memberCases } from "../cases/members.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("members", memberCases);
