import { objectTypeCases } from "../cases/object-types.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("types", objectTypeCases, { alsoInThread: true });
