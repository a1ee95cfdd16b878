import type { ClassifierDefinition } from "#contract/documents/classifiers.ts";
import type {
  AnalyzerDefinition,
  DocumentTypeDefinition,
} from "#contract/documents/document-types.ts";

/** The classifier of the sample data, which a workspace changes like any other. */
export const sampleClassifierKey = "council-documents";

interface SampleRule {
  readonly label: string;
  readonly phrases: string[];
  readonly minimum: number;
  readonly confidence: number;
}

/** Phrases that such documents have by form or by law. */
const rules: readonly SampleRule[] = [
  {
    label: "decision-notice",
    minimum: 3,
    confidence: 0.9,
    phrases: phrases(`
      notice of decision, decision notice, grant of planning permission,
      refusal of planning permission, grants planning permission, refuses planning permission,
      subject to the following conditions, reasons for the decision, right to appeal,
      date of this notice`),
  },
  {
    label: "planning-application-form",
    minimum: 3,
    confidence: 0.88,
    phrases: phrases(`
      application for planning permission, application form, applicant details, agent details,
      description of proposal, description of the proposal, site address:, present use,
      existing use, ownership certificate, i declare that, application fee:`),
  },
  {
    label: "planning-statement",
    minimum: 3,
    confidence: 0.88,
    phrases: phrases(`
      planning statement, design and access statement, the site and its surroundings,
      heritage assessment, planning history, in support of the application, accords with policies,
      accords with policy`),
  },
  {
    label: "objection-letter",
    minimum: 2,
    confidence: 0.88,
    phrases: phrases(`
      i object, we object, strongly object, wish to object, subject: objection, formal objection,
      my objection, our objection, loss of light, loss of privacy, refuse this application,
      refuse permission`),
  },
  {
    label: "consultation-response",
    minimum: 3,
    confidence: 0.86,
    phrases: phrases(`
      raises no objection, has no objection, have no objection, consultation response,
      highway authority, thank you for consulting, recommends the following conditions,
      recommend the following condition, your ref`),
  },
  {
    label: "licence-application",
    minimum: 3,
    confidence: 0.88,
    phrases: phrases(`
      application for a premises licence, application to vary a premises licence,
      temporary event notice, licensable activities, designated premises supervisor,
      licensing act, street trading consent, licence fee enclosed`),
  },
  {
    label: "licence-register",
    minimum: 4,
    confidence: 0.9,
    phrases: phrases(
      `licence number, licence register, register of licences, holder, expires, granted`,
    ),
  },
  {
    label: "invoice",
    minimum: 3,
    confidence: 0.92,
    phrases: phrases(`
      invoice number, invoice no, invoice date, tax invoice, amount due, total due, payment terms,
      bill to, subtotal, sort code, purchase order, vat registration`),
  },
  {
    label: "contract",
    minimum: 3,
    confidence: 0.88,
    phrases: phrases(`
      this agreement, between the parties, entire agreement, governing law, in witness whereof,
      executed as a deed, terms and conditions, hereinafter, indemnify, force majeure,
      shall terminate`),
  },
  {
    label: "meeting-minutes",
    minimum: 3,
    confidence: 0.92,
    phrases: phrases(`
      minutes of the, apologies, declarations of interest, matters arising, resolved,
      in attendance, next meeting, meeting closed, correct record`),
  },
  {
    label: "guidance",
    minimum: 3,
    confidence: 0.86,
    phrases: phrases(`
      how to apply, what to send, what happens next, who can apply, you must, you need,
      before you apply, guidance notes`),
  },
  {
    label: "report",
    minimum: 3,
    confidence: 0.84,
    phrases: phrases(`
      executive summary, report to, methodology, findings, recommendations,
      financial implications, site visit, site inspection, visited on, recommend approval,
      recommend refusal, appendix, appendices`),
  },
  {
    label: "correspondence",
    minimum: 2,
    confidence: 0.7,
    phrases: phrases(`
      dear sir, dear madam, dear mr, dear ms, dear colleague, thank you for your, yours sincerely,
      yours faithfully, kind regards, best wishes, look forward to hearing`),
  },
];

export const sampleClassifier: ClassifierDefinition = {
  displayName: "Council documents",
  description: "Kinds of documents of planning and licensing desks",
  status: "active",
  threshold: 0.5,
  labels: rules.map(({ label: key, ...rule }) => ({ key, rule })),
};

function phrases(list: string): string[] {
  return list.trim().split(/,\s+/);
}

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
