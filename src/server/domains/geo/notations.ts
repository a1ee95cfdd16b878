import Mgrs from "geodesy/mgrs.js";
import OsGridRef from "geodesy/osgridref.js";
import Utm from "geodesy/utm.js";
import Geohash from "latlon-geohash";
import type { Degrees } from "#lib/geometry/geometry.ts";

export type Notation = "decimal" | "degrees" | "geo-uri" | "utm" | "os-grid" | "mgrs" | "geohash";

export interface NotedPoint {
  readonly degrees: Degrees;
  readonly notation: Notation;
  /** The text can also be a name: a geohash has only letters and digits. */
  readonly isSure: boolean;
}

const decimal = String.raw`([+-]?\d{1,3}(?:\.\d{1,15})?)`;
const pair = new RegExp(String.raw`^${decimal}\s*[,;]\s*${decimal}$`);
/** Numbers without a comma need decimals: `12 34` is an address. */
const spacedPair = /^([+-]?\d{1,3}\.\d{1,15})\s+([+-]?\d{1,3}\.\d{1,15})$/;
/** Decimal commas need a blank or a semicolon between the numbers. */
const commaPair = /^([+-]?\d{1,3},\d{1,15})(?:\s*;\s*|\s+)([+-]?\d{1,3},\d{1,15})$/;
const geoUri = new RegExp(
  String.raw`^geo:${decimal},${decimal}(?:,${decimal})?((?:;[^;]+)*)$`,
  "i",
);
const sizes =
  String.raw`([+-]?\d{1,3}(?:\.\d{1,15})?)\s*(?:[°º:]|\s|(?=[NSEW,;]|$))\s*` +
  String.raw`(?:(\d{1,2}(?:\.\d{1,12})?)\s*(?:['′’:]|\s|(?=[NSEW,;]|$))\s*)?` +
  String.raw`(?:(\d{1,2}(?:\.\d{1,12})?)\s*(?:["″”]|''|′′)?\s*)?`;
/** The letter of the compass is after both numbers, or before both. */
const degrees = [`${sizes}([NSEW]?)`, String.raw`([NSEW])\s*${sizes}`].map(
  (half) => new RegExp(String.raw`^${half}\s*[,;]?\s*${half}$`, "i"),
);
const osGrid = /^[HJNOST][A-HJ-Z]\s*(?:\d{2}\s*\d{2}|\d{3}\s*\d{3}|\d{4}\s*\d{4}|\d{5}\s*\d{5})$/i;
const mgrs =
  /^\d{1,2}[C-HJ-NP-X]\s*[A-HJ-NP-Z]{2}\s*(?:\d{2}|\d\s*\d|\d{4}|\d{6}|\d{8}|\d{10}|\d{2,5}\s+\d{2,5})$/i;
/** The letter is a band of latitude, as in MGRS, and not a hemisphere. */
const utm =
  /^(\d{1,2})\s*([C-HJ-NP-X])\s+(\d{6}(?:\.\d{1,6})?)\s*(?:m?\s*E)?[\s,]\s*(\d{1,8}(?:\.\d{1,6})?)\s*(?:m?\s*N)?$/i;
const geohash = /^(?:geohash:)?(?=[a-z]*\d)(?=\d*[a-z])[0-9b-hjkmnp-z]{6,12}$/;

/**
 * The point of a text in a usual notation, latitude first where both orders are possible: decimal
 * degrees, degrees with minutes and seconds, a geo URI (RFC 5870), UTM, a reference of the British
 * grid or of MGRS, and a geohash. Undefined for another text and for numbers outside the earth.
 */
export function pointIn(given: string): NotedPoint | undefined {
  const text = given
    .trim()
    .replaceAll("\u2212", "-")
    .replace(/^(?:\(\s*([^()]*?)\s*\)|\[\s*([^[\]]*?)\s*\])$/, "$1$2");
  const numbers = pair.exec(text) ?? spacedPair.exec(text) ?? commaPair.exec(text);
  if (numbers !== null) {
    const [latitude, longitude] = numbers.slice(1).map((each) => Number(each.replace(",", ".")));
    return noted("decimal", latitude ?? Number.NaN, longitude ?? Number.NaN);
  }
  const uri = geoUri.exec(text);
  if (uri !== null) return pointOfUri(uri);
  const zoned = utm.exec(text);
  if (zoned !== null) return referenced("utm", () => utmPoint(zoned));
  if (osGrid.test(text)) return referenced("os-grid", () => OsGridRef.parse(text).toLatLon());
  if (mgrs.test(text)) return referenced("mgrs", () => mgrsPoint(text));
  if (geohash.test(text)) {
    const point = referenced("geohash", () => Geohash.decode(text.replace("geohash:", "")));
    return point && { ...point, isSure: text.startsWith("geohash:") };
  }
  return pointInDegrees(text);
}

function noted(notation: Notation, latitude: number, longitude: number): NotedPoint | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return { degrees: [longitude, latitude], notation, isSure: true };
}

/** A library's point with seven decimals, a centimetre; undefined where it refuses the text. */
function referenced(
  notation: Notation,
  read: () => { readonly lat: number; readonly lon: number },
): NotedPoint | undefined {
  try {
    const { lat, lon } = read();
    return noted(notation, Math.round(lat * 1e7) / 1e7, Math.round(lon * 1e7) / 1e7);
  } catch {
    return undefined;
  }
}

/** The library needs a blank between the parts of a reference. */
function mgrsPoint(text: string): { readonly lat: number; readonly lon: number } {
  const compact = text.replaceAll(/\s/g, "").toUpperCase();
  const [, zone = "", square = "", digits = ""] = /^(\d+[A-Z])([A-Z]{2})(\d+)$/.exec(compact) ?? [];
  const half = digits.length / 2;
  const words = [zone, square, digits.slice(0, half), digits.slice(half)];
  return Mgrs.parse(words.join(" ")).toUtm().toLatLon();
}

/** Bands from N on are north of the equator. */
function utmPoint([, zone, band = "", easting, northing]: RegExpExecArray) {
  const hemisphere = band.toUpperCase() >= "N" ? "N" : "S";
  return new Utm(Number(zone), hemisphere, Number(easting), Number(northing)).toLatLon();
}

function pointOfUri(found: RegExpExecArray): NotedPoint | undefined {
  const [, latitude, longitude, , parameters = ""] = found;
  const system = /;crs=([^;]*)/i.exec(parameters)?.[1] ?? "wgs84";
  if (system.toLowerCase() !== "wgs84") return undefined;
  // At a pole the longitude has no meaning, and RFC 5870 sets it to 0.
  const isPole = Math.abs(Number(latitude)) === 90;
  return noted("geo-uri", Number(latitude), isPole ? 0 : Number(longitude));
}

/** Degrees with a sign of degrees or a letter of the compass on both halves. */
function pointInDegrees(text: string): NotedPoint | undefined {
  const [after, before] = degrees.map((pattern) => pattern.exec(text)?.slice(1));
  const parts = after ?? before?.map((_part, at, all) => all[at % 4 === 3 ? at - 3 : at + 1]);
  if (parts === undefined) return undefined;
  const [one, other] = [halfOf(parts.slice(0, 4)), halfOf(parts.slice(4))];
  if (one === undefined || other === undefined) return undefined;
  const letters = one.letter + other.letter;
  const hasSigns = letters === "" && (text.match(/[°º]/g) ?? []).length === 2;
  if (hasSigns || /^[NS][EW]$/.test(letters)) return noted("degrees", one.value, other.value);
  return /^[EW][NS]$/.test(letters) ? noted("degrees", other.value, one.value) : undefined;
}

function halfOf(
  parts: readonly (string | undefined)[],
): { readonly letter: string; readonly value: number } | undefined {
  const [whole = "", minutes = "0", seconds = "0", given = ""] = parts;
  const letter = given.toUpperCase();
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return undefined;
  const size = Math.abs(Number(whole)) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isNegative = whole.startsWith("-") || letter === "S" || letter === "W";
  return { letter, value: Math.round((isNegative ? -size : size) * 1e9) / 1e9 };
}
