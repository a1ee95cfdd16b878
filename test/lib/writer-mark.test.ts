import { expect, test } from "vitest";
import { hasWriterEnded, writerMark, writerMarkPattern } from "#lib/writer-mark.ts";

test.runIf(process.platform === "linux")("a mark says whether its writer still runs", async () => {
  const mark = (await writerMark()) ?? "";
  expect(mark).toMatch(new RegExp(`^${writerMarkPattern}$`));
  const [machine = "", id = "", startedAt = ""] = mark.split(".");
  expect(await hasWriterEnded(mark)).toBe(false);
  expect(await hasWriterEnded(`${machine}.${id}.${Number(startedAt) + 1}`)).toBe(true);
  expect(await hasWriterEnded(`${machine}.99999999.1`)).toBe(true);
  expect(await hasWriterEnded(`${"0".repeat(16)}.${id}.1`)).toBe(false);
  expect(await hasWriterEnded("")).toBe(false);
});
