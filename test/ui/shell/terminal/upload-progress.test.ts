import { expect, test } from "vitest";
import { Store } from "#ui/kit/state/store.ts";
import { followUploads } from "#ui/shell/terminal/upload-progress.ts";

test("the bytes of running uploads are one share, until none runs", () => {
  const list = new Store<readonly object[]>([]);
  const reported: unknown[] = [];
  const stop = followUploads(
    list as never,
    {
      report: (_name: string, share: number | undefined) => reported.push(share),
      end: () => reported.push("end"),
    } as never,
  );
  const sending = (sentBytes: number, totalBytes: number) => ({
    state: "sending",
    sentBytes,
    totalBytes,
  });
  list.set([sending(10, 50), sending(15, 50), { state: "done", sentBytes: 9, totalBytes: 9 }]);
  list.set([sending(0, 0)]);
  list.set([]);
  stop();
  list.set([sending(1, 2)]);
  expect(reported).toEqual([0.25, undefined, "end"]);
});
