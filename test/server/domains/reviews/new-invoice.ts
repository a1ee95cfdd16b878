import { type TestPlatform } from "#test/support/platform.ts";
import { invoiceText, invoiceWorkspace, readDocument } from "../document-types/world.ts";

/** An invoice, whose total and buyer must be looked at. */
export async function newInvoice(the: TestPlatform): Promise<{ readonly document: string }> {
  const { application } = await invoiceWorkspace(the);
  const text = `${invoiceText}\n${Bun.randomUUIDv7()}`;
  const record = await readDocument(the, application, text);
  return { document: String(record["documentId"]) };
}
