import form from "./files/application-form-millfield-allotments.docx" with { type: "file" };
import replies from "./files/consultation-replies-18-quay-street.csv" with { type: "file" };
import decisionNotice from "./files/decision-notice-the-old-granary.pdf" with { type: "file" };
import highwaysResponse from "./files/highways-response-18-quay-street.txt" with { type: "file" };
import licenceRegister from "./files/licence-register-2026.xlsx" with { type: "file" };
import objection from "./files/objection-18-quay-street.eml" with { type: "file" };
import minutes from "./files/planning-committee-minutes-2026-11-05.pdf" with { type: "file" };
import planningStatement from "./files/planning-statement-18-quay-street.pdf" with { type: "file" };
import licenceGuidance from "./files/premises-licence-guidance.htm" with { type: "file" };
import siteVisitNotes from "./files/site-visit-notes-millfield.md" with { type: "file" };

/** A small document of the fictitious Northwind Council, with a question that it answers. */
export type SampleDocument = {
  filename: string;
  mediaType: string;
  title: string;
  open(): Promise<Uint8Array>;
  question: string;
  /** A part of the sentence that answers the question. */
  answerContains: string;
  /** The reference of its planning application, or null. */
  about: string | null;
};

/** The sample documents in their upload order. Their facts agree with the sample applications. */
export const sampleDocuments: readonly SampleDocument[] = [
  {
    filename: "planning-statement-18-quay-street.pdf",
    mediaType: "application/pdf",
    title: "Planning statement: 18 Quay Street",
    open: () => readSample(planningStatement, "planning-statement-18-quay-street.pdf"),
    question: "How many parking spaces does the Quay Street plan provide?",
    answerContains: "24 parking spaces",
    about: "PA-2026-0042",
  },
  {
    filename: "decision-notice-the-old-granary.pdf",
    mediaType: "application/pdf",
    title: "Decision notice: The Old Granary",
    open: () => readSample(decisionNotice, "decision-notice-the-old-granary.pdf"),
    question: "When must the development at The Old Granary begin?",
    answerContains: "by 2 October 2029",
    about: "PA-2026-0041",
  },
  {
    filename: "planning-committee-minutes-2026-11-05.pdf",
    mediaType: "application/pdf",
    title: "Planning committee minutes, 5 November 2026",
    open: () => readSample(minutes, "planning-committee-minutes-2026-11-05.pdf"),
    question: "When is the next meeting of the planning committee?",
    answerContains: "Thursday 10 December 2026 at 18:30",
    about: null,
  },
  {
    filename: "application-form-millfield-allotments.docx",
    mediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    title: "Application for planning permission: Millfield Allotments",
    open: () => readSample(form, "application-form-millfield-allotments.docx"),
    question: "What is the application fee for Millfield Allotments?",
    answerContains: "£293.00",
    about: "PA-2026-0040",
  },
  {
    filename: "licence-register-2026.xlsx",
    mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    title: "Licence register 2026",
    open: () => readSample(licenceRegister, "licence-register-2026.xlsx"),
    question: "Who has licence LIC-2026-0007?",
    answerContains: "Harbour Lights Café",
    about: null,
  },
  {
    filename: "premises-licence-guidance.html",
    mediaType: "text/html",
    title: "Apply for a premises licence",
    open: () => readSample(licenceGuidance, "premises-licence-guidance.htm"),
    question: "How long must the notice be up at the premises?",
    answerContains: "28 days",
    about: null,
  },
  {
    filename: "objection-18-quay-street.eml",
    mediaType: "message/rfc822",
    title: "Objection to PA-2026-0042, 18 Quay Street",
    open: () => readSample(objection, "objection-18-quay-street.eml"),
    question: "How many vehicles used Quay Street between 08:00 and 09:00?",
    answerContains: "412 vehicles",
    about: "PA-2026-0042",
  },
  {
    filename: "highways-response-18-quay-street.txt",
    mediaType: "text/plain",
    title: "County Highways: 18 Quay Street",
    open: () => readSample(highwaysResponse, "highways-response-18-quay-street.txt"),
    question: "How large must the visibility splay be where Chandlers Lane meets Quay Street?",
    answerContains: "2.4 metres by 25",
    about: "PA-2026-0042",
  },
  {
    filename: "site-visit-notes-millfield.md",
    mediaType: "text/markdown",
    title: "Site visit notes, Millfield Allotments",
    open: () => readSample(siteVisitNotes, "site-visit-notes-millfield.md"),
    question: "How far is the nearest house from the proposed shed?",
    answerContains: "19 metres",
    about: "PA-2026-0040",
  },
  {
    filename: "consultation-replies-18-quay-street.csv",
    mediaType: "text/csv",
    title: "Consultation replies: 18 Quay Street",
    open: () => readSample(replies, "consultation-replies-18-quay-street.csv"),
    question: "What did the Housing Officer reply?",
    answerContains: "Four affordable homes meet policy H3",
    about: "PA-2026-0042",
  },
];

/**
 * Bun imports a file as its path, on disk or in the executable. A test runner gives another string;
 * the file is then read from the folder of this module.
 */
async function readSample(imported: string, name: string): Promise<Uint8Array> {
  const embedded = Bun.file(imported);
  if (await embedded.exists()) return await embedded.bytes();
  return await Bun.file(new URL(`files/${name}`, import.meta.url)).bytes();
}
