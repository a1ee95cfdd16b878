import { resourceCases } from "../cases/resources.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("resources", resourceCases, { alsoInThread: true });
