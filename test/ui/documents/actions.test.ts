import { expect, test } from "vitest";
import {
  documentErasure,
  documentRemoval,
  documentRestore,
  reviewDecision,
} from "#ui/documents/actions.ts";
import { recorded } from "../support/recorded-action.ts";

const document = { documentId: "d1", documentNumber: "DOC-1", filename: "plan.pdf" } as never;

test("a document goes to the trash, comes back, or is erased after its number is typed", async () => {
  expect(await recorded(documentRemoval, document)).toMatchObject({
    title: "Delete DOC-1",
    command: [["docs", "delete", "d1"], { trash: true, force: true }],
    typed: undefined,
    calls: [["useDocuments.delete", "d1", { trash: true }]],
    done: "deleted DOC-1",
  });
  expect(await recorded(documentRestore, document)).toMatchObject({
    calls: [["useDocuments.restore", "d1"]],
  });
  expect(await recorded(documentErasure, document)).toMatchObject({
    command: [["docs", "erase", "d1"], { force: true }],
    typed: "DOC-1",
    calls: [["useDocuments.erase", "d1"]],
  });
});

test("a part that stays is reported", async () => {
  for (const action of [documentRemoval, documentErasure]) {
    const { done } = await recorded(action, document, { complete: false });
    expect(done).toEqual({ failed: expect.stringContaining("only partly") });
  }
});

test("a review is decided for its document", async () => {
  const subject = { documentId: "d1", name: "plan.pdf", target: "label", value: "permit" };
  const body = { action: "accept", target: "label" } as never;
  expect(await recorded(reviewDecision, { subject, body })).toMatchObject({
    calls: [["reviews.decide", { tenantId: "w", params: { documentId: "d1" }, body }]],
    done: "accepted label of plan.pdf",
  });
});
