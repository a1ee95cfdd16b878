import { base, make, unknownId } from "#test/support/casework.ts";
import {
  apiCases,
  describePlatform,
  type ApiCase,
  type TestPlatform,
} from "#test/support/platform.ts";

const routes = [
  { method: "GET", path: `${base}/casework`, needs: "tenant-viewer" },
  { method: "GET", path: `${base}/casework/{id}`, needs: "tenant-viewer" },
  { method: "POST", path: `${base}/casework`, needs: "tenant-staff" },
  { method: "PUT", path: `${base}/casework/{id}`, needs: "tenant-staff" },
  { method: "DELETE", path: `${base}/casework/{id}`, needs: "tenant-staff" },
] as const;

function bodyFor(method: string): { body?: object } {
  if (method === "POST") return { body: { reference: "C-0" } };
  if (method === "PUT") return { body: { data: { reference: "C-0" }, version: 1 } };
  return {};
}

const refusals: ApiCase[] = routes.flatMap(({ method, path, needs }) => {
  const common = { method, path, ...bodyFor(method), before: (the: TestPlatform) => make(the) };
  const cases: ApiCase[] = [
    {
      ...common,
      name: `nobody is refused ${method} ${path}`,
      as: "nobody",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      ...common,
      name: `an outsider finds no ${method} ${path}`,
      as: "outsider",
      expect: { status: 404, code: "not-found", excludes: ["foreign"] },
    },
  ];
  if (needs === "tenant-staff") {
    cases.push({
      ...common,
      name: `a viewer is refused ${method} ${path}`,
      as: "tenant-viewer",
      expect: {
        status: 403,
        code: "permission-denied",
        body: { requiredRole: "tenant-staff", currentRole: "tenant-viewer" },
      },
    });
  }
  if (path.endsWith("{id}")) {
    for (const [words, id] of [
      ["another workspace's record", "{foreignId}"],
      ["a record that never was", unknownId],
    ] as const) {
      cases.push({
        ...common,
        name: `${words} is not found by ${method}`,
        path: path.replace("{id}", id),
        expect: { status: 404, code: "not-found" },
      });
    }
    cases.push({
      ...common,
      name: `an id that is none is refused by ${method}`,
      path: path.replace("{id}", "nonsense"),
      expect: { status: 422, code: "validation-failed", pointers: ["#/path/id"] },
    });
  }
  cases.push({
    ...common,
    name: `an unknown Object Type is not found by ${method} ${path}`,
    path: path.replace("casework", "no-such-type"),
    expect: { status: 404, code: "not-found" },
  });
  return cases;
});

describePlatform("who may read and write records", (the) => {
  apiCases(the, refusals);
});
