import { beforeAll, expect, test } from "vitest";
import { SiteSearch, type Section } from "#site/search/find.ts";
import { madeSite } from "../made-site.ts";

let search: SiteSearch;
let script = "";

beforeAll(async () => {
  script = (await madeSite()).get("search.js")?.text ?? "";
  const end = script.indexOf(";\n");
  search = new SiteSearch(JSON.parse(script.slice("var svcSections=".length, end)) as Section[]);
});

test.each([
  ["first password", "start-operator/#the-first-password"],
  ["systemd unit", "start-operator/#the-systemd-unit"],
  ["/etc/svc.env", "start-operator/#-etc-svc-env"],
  ["forgotten password", "operating/#forgotten-passwords"],
  ["completed_with_errors", "uploads/#the-job"],
  ["documentLifecycle", "uploads/#the-lifecycle"],
  ["verticalKey alias", "uploads/#the-form"],
  ["offline_access scope", "uploads/#scopes-of-a-sign-in"],
  ["keycloak audience mapper", "operating/#what-to-register-with-the-provider"],
  ["vite proxy changeOrigin", "library/#"],
  ["resources_upsert", "api/resources/#resources_upsert"],
  ["svc docs upload", "commands/docs/#svc-docs-upload"],
  ["E204", "errors/#error-E204"],
])("%s finds %s", (query, path) => {
  const found = search
    .find(query)
    .slice(0, 5)
    .map((hit) => hit.path);
  expect(
    found.some((place) => place.startsWith(path)),
    found.join("\n"),
  ).toBe(true);
});

test("a wrong letter and half a word are forgiven, and the excerpt has the match", () => {
  expect(search.find("systmd")[0]?.path).toMatch(/^start-operator/);
  const [hit] = search.find("journalc");
  expect(hit?.excerpt).toContain("journalctl");
  expect(search.find("zzzzqqqq")).toEqual([]);
});

test("its script is small, and loads with the first use only", () => {
  expect(Bun.gzipSync(Buffer.from(script)).length).toBeLessThan(210_000);
});
