import { expect, test } from "vitest";
import { WatchedLists, type ListClient } from "#client/watch/lists.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import type { Resource } from "#contract/resources/record.ts";

const minute = 60_000;

function recordOf(id: string, version: number, atMs: number): Resource {
  return { id, version, data: {}, updated_at: new Date(atMs).toISOString() };
}

/** A client whose lists of the type `tree` are, one read after the other, these. */
function clientOf(...reads: (readonly Resource[])[]): ListClient {
  return {
    tenantId: "one",
    useResources: () => ({
      async *pages() {
        yield { items: [...(reads.shift() ?? [])] };
      },
    }),
    objectTypes: { list: async () => ({ items: [{ slug: "tree" }] }) },
  };
}

/** The events of so many reads, as `op subject`. */
async function changes(
  client: ListClient,
  options: { readonly cursor?: string; readonly where?: object; readonly reads: number },
): Promise<{ readonly changes: string[]; readonly last: CloudEvent | undefined }> {
  const found: string[] = [];
  let last: CloudEvent | undefined;
  let { reads } = options;
  for await (const event of new WatchedLists(client, { ...options, pollMs: 0 }).events()) {
    last = event;
    if (event.type !== "svc.feed.bookmark") found.push(`${event.type} ${event.subject ?? ""}`);
    else if ((reads -= 1) === 0) break;
  }
  return { changes: found, last };
}

test("a second read has what is new, changed and gone", async () => {
  const client = clientOf(
    [recordOf("a", 1, minute), recordOf("b", 1, minute)],
    [recordOf("b", 2, 2 * minute), recordOf("c", 1, 2 * minute)],
  );
  const { changes: found, last } = await changes(client, { reads: 2 });
  expect(found).toEqual([
    "svc.resource.updated tree/b",
    "svc.resource.created tree/c",
    "svc.resource.deleted tree/a",
  ]);
  expect(last?.svccursor).toBe(`lists~${2 * minute}`);
});

test("a record that no longer matches the filter has left", async () => {
  const client = clientOf([recordOf("a", 1, minute)], []);
  const { changes: found } = await changes(client, { where: { open: true }, reads: 2 });
  expect(found).toEqual(["svc.resource.left tree/a"]);
});

test("a cursor continues with records that changed since, each at least once", async () => {
  const client = clientOf([recordOf("a", 1, minute), recordOf("b", 4, 3 * minute)]);
  const { changes: found } = await changes(client, { cursor: `lists~${2 * minute}`, reads: 1 });
  expect(found).toEqual(["svc.resource.updated tree/b"]);
});

test("the cursor of a stream is not known: the watch ends with a reset", async () => {
  const client = clientOf([recordOf("a", 1, minute)]);
  const { changes: found, last } = await changes(client, { cursor: "of-a-stream", reads: 1 });
  expect(found).toEqual(["svc.feed.reset "]);
  expect(last?.data).toEqual({
    reason: "unknown-cursor",
    cursor: `lists~${minute}`,
    resources: ["/v4/data/resources/one/{objectType}"],
  });
});
