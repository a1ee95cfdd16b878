import { expect, test } from "vitest";
import {
  isSocketRequest,
  requireHandshake,
  wantsSocket,
} from "#server/http/response/socket-request.ts";

const handshake = {
  upgrade: "WebSocket",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};

test("only a GET of a route with WebSocket opens one", () => {
  const headers = new Headers(handshake);
  const wants = (method: string, webSocket: boolean): boolean =>
    wantsSocket({ route: { definition: { webSocket } }, method, headers } as never);
  expect([wants("GET", true), wants("POST", true), wants("GET", false)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(isSocketRequest(new Headers({ upgrade: "h2c" }))).toBe(false);
});

test.each([[{ "sec-websocket-key": "short" }], [{ "sec-websocket-version": "8" }]])(
  "a handshake with %j is refused",
  (wrong) => {
    requireHandshake(new Headers(handshake));
    expect(() => requireHandshake(new Headers({ ...handshake, ...wrong }))).toThrow(
      expect.objectContaining({ code: "malformed-request" }),
    );
  },
);
