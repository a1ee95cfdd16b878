import { archiveCases } from "../cases/archives.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("archives", archiveCases);
