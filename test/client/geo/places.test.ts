import { expect, test } from "vitest";
import { places } from "#client/geo/places.ts";
import { createClient } from "#client/index.ts";

/** A client whose requests are kept, and answered with one match. */
function recording({ knowsPoints = true }: { readonly knowsPoints?: boolean } = {}) {
  const bodies: unknown[] = [];
  const client = createClient({
    baseUrl: "http://127.0.0.1:1",
    token: "t",
    tenantId: "0195b3a4-0000-7000-8000-000000000001",
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const body: unknown = await request.json();
      bodies.push(body);
      if (!knowsPoints && !JSON.stringify(body).includes('"query"')) {
        return Response.json({ title: "query is required", status: 422 }, { status: 422 });
      }
      return Response.json({ results: [{ label: "Harbour", lat: 1 }] });
    },
  });
  return { bodies, client };
}

test("a text is sent as the query, with options; another deployment's names are read", async () => {
  const { bodies, client } = recording();
  const options = { limit: 2, near: [1, 2], datasets: ["site"] } as const;
  expect(await places(client, "Quay", options)).toMatchObject([{ name: "Harbour", score: 0 }]);
  const near = { type: "Point", coordinates: [1, 2] };
  expect(bodies).toEqual([{ query: "Quay", limit: 2, near, datasets: ["site"] }]);
});

test("a position is sent as a point", async () => {
  const { bodies, client } = recording();
  await client.places([-1.6, 54.97]);
  expect(bodies).toMatchObject([{ point: { type: "Point", coordinates: [-1.6, 54.97] } }]);
});

test("a deployment that refuses a point gets its coordinates as a text", async () => {
  const { bodies, client } = recording({ knowsPoints: false });
  expect(await client.places([-1.6, 54.97], { limit: 1 })).toMatchObject([{ name: "Harbour" }]);
  expect(bodies).toMatchObject([{ limit: 1 }, { query: "54.97, -1.6", limit: 1 }]);
});
