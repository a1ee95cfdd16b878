import { expect, test } from "vitest";
import { OverloadPause } from "#server/http/overload-pause.ts";

test("a refusal for overload is held back, and not while the platform stops", async () => {
  const overloads = new OverloadPause();
  const response = new Response(null, { status: 503 });
  const running = new AbortController();
  const held = overloads.of(response, running.signal);
  expect(await Promise.race([held, Bun.sleep(50)])).toBeUndefined();
  running.abort();
  expect(await Promise.race([overloads.of(response, running.signal), Bun.sleep(50)])).toBe(
    response,
  );
  expect(await held).toBe(response);
});
