/** Properties that a reader of an invitation wants, with the labels they are written under. */
const labels: Readonly<Record<string, string>> = {
  SUMMARY: "Summary",
  DTSTART: "Start",
  DTEND: "End",
  DUE: "Due",
  LOCATION: "Location",
  ORGANIZER: "Organizer",
  ATTENDEE: "Attendee",
  DESCRIPTION: "Description",
  STATUS: "Status",
  RRULE: "Repeats",
};
/** Components whose properties are those of an appointment or a task. */
const components: ReadonlySet<string> = new Set(["VEVENT", "VTODO", "VJOURNAL"]);

/** The appointments and tasks of a calendar (RFC 5545), one line per property. */
export function calendarText(source: string): string {
  const lines: string[] = [];
  const open: string[] = [];
  for (const line of source.replace(/\r?\n[ \t]/g, "").split(/\r?\n/)) {
    const [, name = "", parameters = "", value = ""] =
      /^([A-Za-z-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line) ?? [];
    const key = name.toUpperCase();
    if (key === "BEGIN") {
      if (components.has(value.toUpperCase()) && lines.length > 0) lines.push("");
      open.push(value.toUpperCase());
    } else if (key === "END") open.pop();
    else if (components.has(open.at(-1) ?? "") && labels[key] !== undefined) {
      lines.push(`${labels[key]}: ${shown(key, parameters, value)}`);
    }
  }
  return lines.join("\n");
}

function shown(key: string, parameters: string, value: string): string {
  const parameter = (name: string): string | undefined =>
    new RegExp(`;${name}=(?:"([^"]*)"|([^;:]*))`, "i")
      .exec(parameters)
      ?.slice(1)
      .find((each) => each !== undefined);
  if (key === "ORGANIZER" || key === "ATTENDEE") {
    const address = value.replace(/^mailto:/i, "");
    const name = parameter("CN");
    return name === undefined ? address : `${name} <${address}>`;
  }
  if (/^(?:DT|DUE)/.test(key)) {
    const zone = parameter("TZID");
    return timeOf(value) + (zone === undefined ? "" : ` (${zone})`);
  }
  return value.replace(/\\(.)/g, (_, letter: string) => (/n/i.test(letter) ? "\n" : letter));
}

/** `20261025T023000Z` as `2026-10-25 02:30 UTC`. */
function timeOf(value: string): string {
  const [, year, month, day, hour, minute, zone] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return value;
  const date = `${year}-${month}-${day}`;
  return hour === undefined ? date : `${date} ${hour}:${minute}${zone === "Z" ? " UTC" : ""}`;
}
