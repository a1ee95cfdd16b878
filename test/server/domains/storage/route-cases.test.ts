import { storageCases } from "../cases/storage.ts";
import { describeRouteCases } from "../cases/route-tables.ts";

describeRouteCases("storage", storageCases, { alsoInThread: true });
