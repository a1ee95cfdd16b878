import { describe, expect, it } from "vitest";
import {
  BodyLateError,
  BodyTooLargeError,
  readBoundedBytes,
  readBoundedText,
} from "#lib/network/bounded-body.ts";

/**
 * A body of `count` chunks of `size` bytes that notes how many were asked for and whether it was
 * left.
 */
function chunked(count: number, size: number) {
  const state = { pulled: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.pulled === count) return controller.close();
        state.pulled += 1;
        controller.enqueue(new Uint8Array(size).fill(97));
      },
      cancel() {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, response: new Response(stream) };
}

describe("a bounded body", () => {
  it("that fits is read whole", async () => {
    expect(await readBoundedText(new Response("grün"), 5)).toBe("grün");
    expect(await readBoundedText(chunked(3, 4).response, 12)).toBe("aaaaaaaaaaaa");
    expect((await readBoundedBytes(new Response(null), 5)).byteLength).toBe(0);
  });

  it("that does not fit is left at the bound", async () => {
    const { state, response } = chunked(1000, 1024);
    await expect(readBoundedBytes(response, 4096)).rejects.toBeInstanceOf(BodyTooLargeError);
    expect(state.pulled).toBe(5);
    expect(state.cancelled).toBe(true);
  });

  it("can be cut instead", async () => {
    const { response } = chunked(1000, 1024);
    expect(await readBoundedText(response, 10, { truncate: true })).toBe("aaaaaaaaaa");
    expect(await readBoundedText(new Response("0123456789abc"), 10, { truncate: true })).toBe(
      "0123456789",
    );
  });

  it("that does not end is left when its time is over", async () => {
    const state = { cancelled: 0 };
    const silent = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("abc")),
          cancel: () => void (state.cancelled += 1),
        }),
        { headers: { "content-length": "9" } },
      );
    const late = readBoundedText(silent(), 100, { limitMs: 20 });
    await expect(late).rejects.toBeInstanceOf(BodyLateError);
    const cut = readBoundedText(silent(), 100, { limitMs: 20, truncate: true });
    expect(await cut).toBe("abc");
    expect(state.cancelled).toBe(2);
  });

  it("is not trusted in what it says of itself", async () => {
    const response = new Response("x".repeat(5000), {
      headers: { "content-length": "10", "content-encoding": "gzip" },
    });
    await expect(readBoundedBytes(response, 100)).rejects.toBeInstanceOf(BodyTooLargeError);
  });
});
