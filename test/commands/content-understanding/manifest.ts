import { definition } from "#test/server/domains/classifiers/world.ts";
import { analyzer, invoiceType } from "#test/server/domains/document-types/world.ts";

export const manifest = {
  version: 1,
  classifiers: { papers: definition },
  analyzers: { invoices: analyzer },
  documentTypes: { invoice: { ...invoiceType, analyzer: "invoices" } },
};
