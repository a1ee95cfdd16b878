import type { JsonObject } from "#contract/values.ts";

/** The register of 2026: holder, premises, kind, granted, expires, annual fee in pounds. */
const register = [
  ["The Anchor Inn Ltd", "3 Quay Street", "premises", "2026-01-12", "2027-01-11", 295],
  ["Rosa Delgado", "Harbour Square, pitch 4", "street-trading", "2026-01-20", "2026-12-31", 410],
  ["Northwind Taxis Ltd", "Station Yard", "private-hire", "2026-02-02", "2031-02-01", 820],
  ["Samir Haddad", "22 Market Street", "premises", "2026-02-16", "2027-02-15", 180],
  ["The Old Picture House Trust", "9 Castle Street", "premises", "2026-03-03", "2027-03-02", 315],
  ["Greta Holm", "1 Ropewalk", "animal-boarding", "2026-03-19", "2028-03-18", 244],
  ["Harbour Lights Café", "27 Quay Street", "premises", "2026-04-09", "2027-04-08", 180],
  ["Kestrel Scrap Metals Ltd", "Unit 5, Wend Road", "scrap-metal", "2026-04-27", "2029-04-26", 530],
  ["Ade Bakare", "Harbour Square, pitch 7", "street-trading", "2026-05-11", "2026-12-31", 410],
  [
    "St Brannock's Football Club",
    "Sports Ground, Mill Lane",
    "club",
    "2026-05-29",
    "2027-05-28",
    180,
  ],
  ["The Net Loft Theatre", "12 Chandlers Lane", "premises", "2026-06-15", "2027-06-14", 315],
  [
    "Wend Valley Brewery Ltd",
    "The Maltings, Granary Lane",
    "premises",
    "2026-07-06",
    "2027-07-05",
    635,
  ],
  ["Hana Novak", "16 Market Street", "skin-piercing", "2026-07-23", "2027-07-22", 158],
  ["Fairhaven Caravan Park Ltd", "Shore Road", "caravan-site", "2026-08-10", "2031-08-09", 475],
  ["Joseph Adeyemi", "Station Yard", "hackney-carriage", "2026-08-31", "2029-08-30", 262],
  ["Lantern Street Kitchen", "40 Castle Street", "premises", "2026-09-14", "2027-09-13", 295],
  ["The Seamen's Institute", "5 Harbour Square", "club", "2026-10-05", "2027-10-04", 180],
] as const;

/** The status by number of the licences that are no longer in force. */
const statuses: Readonly<Record<number, string>> = { 8: "lapsed", 14: "lapsed" };

/** `LIC-2026-0001` to `LIC-2026-0017`, as in the sample document "Licence register 2026". */
export const licences: readonly JsonObject[] = register.map(
  ([holder, premises, kind, granted, expires, annualFee], index) => ({
    reference: `LIC-2026-${String(index + 1).padStart(4, "0")}`,
    holder,
    premises,
    kind,
    status: statuses[index + 1] ?? "granted",
    granted,
    expires,
    annualFee,
  }),
);
