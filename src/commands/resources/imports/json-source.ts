import { formatError } from "#cli/errors.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import { maximumJsonBytes, parseJson, tooDeep } from "../../kit/input/data.ts";
import type { NamedFile } from "../../kit/input/files.ts";
import { JsonItemDepthError, JsonItems, JsonItemsError } from "../batch/json-items.ts";
import { listedRecord } from "../records/listed.ts";
import type { FileFacts, JsonRow, JsonSource, ReadMeter } from "./source.ts";

/** A JSON list, or one object per line (NDJSON). A whole record means its data. Throws E304. */
export function jsonSource(
  file: NamedFile,
  facts: FileFacts,
  name: string,
  signal: AbortSignal,
): JsonSource {
  const isList = /^[\s\ufeff]*\[/.test(new TextDecoder().decode(facts.start));
  return {
    kind: "json",
    format: isList ? "JSON" : "NDJSON",
    size: facts.size,
    // A list that is cut has no closing bracket, which fails.
    showsItsEnd: isList || facts.endsWithLine,
    async *rows(meter: ReadMeter) {
      const splitter = new JsonItems(maximumJsonBytes);
      let number = 0;
      const read = (texts: readonly string[]): JsonRow[] =>
        texts.map((text) => {
          number += 1;
          const value = parseJson(text, `${name}, item ${number},`);
          if (isJsonObject(value)) return { number, values: listedRecord(value)?.data ?? value };
          throw formatError(`${name}, item ${number}, is not an object`, "JSON objects");
        });
      try {
        const decoder = new TextDecoder("utf-8", { fatal: true });
        for await (const chunk of chunksUntil(file.stream(), signal)) {
          meter.bytes += chunk.byteLength;
          yield read(splitter.push(decoder.decode(chunk, { stream: true })));
        }
        yield read([...splitter.push(decoder.decode()), ...splitter.end()]);
      } catch (error) {
        if (error instanceof JsonItemDepthError) throw tooDeep(`${name}, item ${error.index + 1},`);
        if (error instanceof JsonItemsError) {
          throw formatError(`${name} is not JSON: ${error.message}`, "a JSON list, NDJSON");
        }
        if (error instanceof TypeError) throw formatError(`${name} is not UTF-8 text`, "UTF-8");
        throw error;
      }
    },
  };
}
