import type { TemplateFile } from "./template.ts";

const fields = {
  number: { required: true, description: "The number of the invoice" },
  due: { type: "date" },
  total: { type: "money", required: true, threshold: 0.8 },
  payment: { mode: "generate" },
};
const rules = {
  number: [
    { method: "pattern", pattern: "INV-[0-9]{6}" },
    { method: "label-value", labels: ["Invoice number", "Invoice no"] },
  ],
  due: [{ method: "label-value", labels: ["Due", "Payable by"] }],
  total: [
    { method: "table-cell", row: "Total", column: "Amount" },
    { method: "label-value", labels: ["Total"] },
  ],
  payment: [{ method: "template", template: "{total} by {due}" }],
};

/** One document type with its fields and their rules, for `svc docs configure-type`. */
const configuration = {
  documentType: { key: "invoice", displayName: "Invoice", label: "invoice" },
  fields: Object.entries(fields).map(([name, field]) => ({
    name,
    ...field,
    rules: rules[name as keyof typeof rules],
  })),
};

/** The classifier, the analyzer and the type in one file, for `svc content-understanding`. */
const manifest = {
  version: 1,
  classifiers: {
    papers: {
      displayName: "Papers",
      status: "active",
      labels: [
        {
          key: "invoice",
          rule: { phrases: ["invoice number", "amount due", "payment terms"], minimum: 2 },
        },
        { key: "letter", rule: { phrases: ["dear madam", "kind regards"], minimum: 1 } },
      ],
    },
  },
  analyzers: {
    invoice: {
      displayName: "Invoice",
      fields: Object.fromEntries(
        Object.entries(rules).map(([name, ofField]) => [name, { rules: ofField }]),
      ),
    },
  },
  documentTypes: {
    invoice: { displayName: "Invoice", label: "invoice", analyzer: "invoice", fields },
  },
};

const folder = "src/eai.config";

/** Examples of what a workspace configures for its documents. */
export const documentFiles: readonly TemplateFile[] = [
  {
    path: `${folder}/invoice.json`,
    kind: "own",
    text: `${JSON.stringify(configuration, null, 2)}\n`,
  },
  {
    path: `${folder}/content-understanding.json`,
    kind: "own",
    text: `${JSON.stringify(manifest, null, 2)}\n`,
  },
];
