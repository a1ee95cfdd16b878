import type { Database } from "../../database/database.ts";
import { Exchange } from "../../http/exchange.ts";
import { noteHolder } from "../../kit/change-note.ts";
import { recordingOf } from "./recording.ts";

/** The database of services that take no work yet: a change's entry is in its transaction. */
export function auditedDatabase(database: Database): Database {
  return {
    ...database,
    async write(work) {
      const holder = noteHolder();
      const recording = holder instanceof Exchange ? recordingOf(holder) : undefined;
      if (recording?.begin() !== true) return database.write(work);
      let isCommitted = false;
      try {
        const value = await database.write(async (writer) => {
          const done = await work(writer);
          const { note } = recording.exchange;
          await recording.store(writer, [{ recording, note, remembered: undefined }]);
          return done;
        });
        isCommitted = true;
        return value;
      } finally {
        recording.end(isCommitted);
      }
    },
  };
}
