import { describe, expect, it } from "vitest";
import { proxyVariable } from "#commands/kit/sign-in/proxy-variable.ts";

const both = { http_proxy: "http://p:1", HTTPS_PROXY: "http://p:2" };

describe("the variable that names a proxy", () => {
  it.each([
    ["http://api.example/v4", both, "http_proxy"],
    ["https://api.example/v4", both, "HTTPS_PROXY"],
    ["https://api.example/v4", { ...both, https_proxy: "http://p:3" }, "https_proxy"],
    ["https://api.example/v4", { http_proxy: "http://p:1" }, undefined],
    ["https://api.example/v4", { HTTPS_PROXY: "" }, undefined],
    ["http://127.0.0.1:4400", both, undefined],
    ["http://localhost:4400", both, undefined],
    ["http://api.example", { ...both, no_proxy: "*" }, undefined],
    ["http://api.example", { ...both, NO_PROXY: "other, .EXAMPLE" }, undefined],
    ["http://api.example:8080", { ...both, no_proxy: "api.example:8080" }, undefined],
    ["http://api.example:8081", { ...both, no_proxy: "api.example:8080," }, "http_proxy"],
  ])("of %s with %j is %s", (url, variables, name) => {
    expect(proxyVariable(new URL(url), variables)).toBe(name);
  });
});
