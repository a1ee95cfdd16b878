import { expect, test } from "vitest";
import { calendarText } from "#server/text/extraction/formats/mail/calendar.ts";

test("appointments and tasks, with folded lines, zones and escaped signs", () => {
  const source = [
    "BEGIN:VCALENDAR",
    "BEGIN:VTIMEZONE",
    "DTSTART:19700101T000000",
    "END:VTIMEZONE",
    "BEGIN:VEVENT",
    'DTSTART;TZID="Europe/Berlin":20261025T023000',
    "DTEND:20261025T023000Z",
    "SUMMARY;LANGUAGE=en:Site visit: quay",
    "DESCRIPTION:Bring boots\\, hard",
    "  hat\\nand gloves",
    'ORGANIZER;CN="Nair, Priya":MAILTO:p@a.example',
    "ATTENDEE:mailto:b@a.example",
    "BEGIN:VALARM",
    "DESCRIPTION:Alarm",
    "END:VALARM",
    "END:VEVENT",
    "BEGIN:VTODO",
    "DUE;VALUE=DATE:20261101",
    "END:VTODO",
    "END:VCALENDAR",
  ].join("\r\n");
  expect(calendarText(source)).toBe(
    "Start: 2026-10-25 02:30 (Europe/Berlin)\nEnd: 2026-10-25 02:30 UTC\n" +
      "Summary: Site visit: quay\nDescription: Bring boots, hard hat\nand gloves\n" +
      "Organizer: Nair, Priya <p@a.example>\nAttendee: b@a.example\n\nDue: 2026-11-01",
  );
});

test("other text has no appointments", () => {
  expect(calendarText("Notes: none")).toBe("");
});
