import { fileCases } from "../../cases/files.ts";
import { describeRouteCases } from "../../cases/route-tables.ts";

describeRouteCases("files", fileCases, { alsoInThread: true });
