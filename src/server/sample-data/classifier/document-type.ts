import type { AnalyzerDefinition, DocumentTypeDefinition } from "#contract/document-types.ts";

/** The key of the document type of the sample data, and of its analyzer. */
export const sampleTypeKey = "invoice";

const field = { mode: "extract", type: "string", required: false, threshold: 0.5 } as const;

export const sampleType: DocumentTypeDefinition = {
  displayName: "Invoice",
  description: "Invoices of suppliers to the council",
  status: "active",
  label: "invoice",
  analyzer: sampleTypeKey,
  fields: {
    number: { ...field, required: true },
    date: { ...field, type: "date" },
    total: { ...field, type: "money" },
  },
};

export const sampleAnalyzer: AnalyzerDefinition = {
  displayName: "Invoice",
  description: "Finds the fields of an invoice by their labels",
  fields: {
    number: { rules: [{ method: "label-value", labels: ["Invoice number", "Invoice no"] }] },
    date: { rules: [{ method: "label-value", labels: ["Invoice date", "Date"] }] },
    total: { rules: [{ method: "label-value", labels: ["Amount due", "Total due", "Total"] }] },
  },
};
