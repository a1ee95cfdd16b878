import { partsOf, type Geometry, type Position } from "../geometry/geometry.ts";
import { html } from "../text/html.ts";
import { windowAround, type MapPoint, type MapWindow } from "./window.ts";

/** A geometry of a map. */
export interface MapShape {
  readonly geometry: Geometry;
  /** The words that a browser shows over the shape. */
  readonly title: string;
  /** The darkness of an area and the size of a point, 0 to 1; undefined for no value. */
  readonly weight?: number | undefined;
}

interface SvgMap {
  readonly title: string;
  readonly shapes: readonly MapShape[];
  readonly coast: readonly (readonly MapPoint[])[];
  readonly width?: number;
  readonly height?: number;
}

const wholeCircle = 360;
const leastRadius = 3;
const mostRadius = 14;

/**
 * Draws geometries over coast lines as one SVG image, which needs no script, style sheet, font or
 * network. It shows the smallest part of the earth that has all of them.
 */
export function svgMap({ title, shapes, coast, width = 800, height = 480 }: SvgMap): string {
  const window = windowAround(shapes.flatMap(cornersOf), { width, height });
  const sheet = new Sheet(window, width, height);
  const turns = [-wholeCircle, 0, wholeCircle].filter(
    (turn) => window.west < 180 + turn && window.east > turn - 180,
  );
  const coasts = turns.flatMap((turn) =>
    coast.flatMap((line) => shownParts(line, window, turn)).map((part) => sheet.path(part, turn)),
  );
  const box = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${box}>`,
    html`<title>${title}</title>`.text,
    `<rect fill="#f4f7fa" width="${width}" height="${height}"/>`,
    `<path fill="none" stroke="#9aa7b4" d="${coasts.join("")}"/>`,
    ...turns.flatMap((turn) => shapes.flatMap((shape) => sheet.drawn(shape, turn))),
    "</svg>",
  ].join("\n");
}

/** Places of longitudes and latitudes on an image. */
class Sheet {
  constructor(
    private readonly window: MapWindow,
    private readonly width: number,
    private readonly height: number,
  ) {}

  path(line: readonly Position[], turn: number): string {
    return line
      .map((position, at) => `${at === 0 ? "M" : "L"}${this.#at(position, turn)}`)
      .join("");
  }

  drawn({ geometry, title, weight }: MapShape, turn: number): string[] {
    const { points, lines, polygons } = partsOf(geometry);
    const words = html`<title>${title}</title>`.text;
    const opacity = (weight === undefined ? 0.08 : 0.12 + 0.78 * weight).toFixed(2);
    const radius = leastRadius + (mostRadius - leastRadius) * Math.sqrt(weight ?? 0);
    const area = `fill="#1c5f9e" fill-opacity="${opacity}" fill-rule="evenodd" stroke="#12304d"`;
    return [
      ...polygons.map((rings) => {
        const outline = rings.map((ring) => `${this.path(ring, turn)}Z`).join("");
        return `<path ${area} d="${outline}">${words}</path>`;
      }),
      ...lines.map(
        (line) => `<path fill="none" stroke="#1c5f9e" d="${this.path(line, turn)}">${words}</path>`,
      ),
      ...points.map((point) => {
        const [x, y] = this.#at(point, turn).split(" ");
        const at = `cx="${x}" cy="${y}" r="${radius.toFixed(1)}"`;
        return `<circle fill="#b3401f" fill-opacity=".75" stroke="#fff" ${at}>${words}</circle>`;
      }),
    ];
  }

  #at([longitude = 0, latitude = 0]: Position, turn: number): string {
    const { west, east, south, north } = this.window;
    const x = ((longitude + turn - west) / (east - west)) * this.width;
    const y = ((north - latitude) / (north - south)) * this.height;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  }
}

function cornersOf({ geometry }: MapShape): MapPoint[] {
  const { points, lines, polygons } = partsOf(geometry);
  return [points, ...lines, ...polygons.flat()]
    .flat()
    .map(([longitude = 0, latitude = 0]): MapPoint => [longitude, latitude]);
}

/** The parts of a coast line that may be seen, without the edges that close areas of the map. */
function shownParts(
  line: readonly MapPoint[],
  { west, east, south, north }: MapWindow,
  turn: number,
): MapPoint[][] {
  const parts: MapPoint[][] = [];
  let isOpen = false;
  for (let at = 1; at < line.length; at += 1) {
    const [from, to] = [line[at - 1], line[at]];
    if (from === undefined || to === undefined) continue;
    const isEdge =
      Math.abs(from[0] - to[0]) > 180 ||
      (Math.abs(to[0]) >= 179.9 && from[0] === to[0]) ||
      Math.max(from[1], to[1]) < -84;
    const isShown =
      !isEdge &&
      Math.max(from[0], to[0]) + turn >= west &&
      Math.min(from[0], to[0]) + turn <= east &&
      Math.max(from[1], to[1]) >= south &&
      Math.min(from[1], to[1]) <= north;
    if (isShown && !isOpen) parts.push([from]);
    if (isShown) parts.at(-1)?.push(to);
    isOpen = isShown;
  }
  return parts;
}
