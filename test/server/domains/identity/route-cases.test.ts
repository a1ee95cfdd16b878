import { identityCases } from "../cases/identity.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("identity", identityCases);
