import { expect, test } from "vitest";
import { xmlFeatures } from "#server/domains/geo/datasets/formats/xml.ts";
import { allOf, chunked } from "./chunked.ts";

const kml = (content: string) =>
  `<?xml version="1.0"?><k:kml xmlns:k="http://www.opengis.net/kml/2.2">${content}</k:kml>`;

test.each([1, 30, 10_000])("KML is read in chunks of %i bytes", async (size) => {
  const ring = "<LinearRing><coordinates>0,0 9,0 9,9 0,0</coordinates></LinearRing>";
  const text = kml(`<Document><name>All</name><Placemark id="a"><name>Ærø &amp; co</name>
    <ExtendedData><Data name="kind"><value>isle</value></Data><SchemaData><SimpleData name="size">3</SimpleData></SchemaData></ExtendedData>
    <MultiGeometry><Point><coordinates>1,2,3</coordinates></Point>
    <Polygon><outerBoundaryIs>${ring}</outerBoundaryIs></Polygon></MultiGeometry></Placemark>
    <Placemark><description><![CDATA[<b>none</b>]]></description></Placemark></Document>`);
  const ringPositions = [
    [0, 0],
    [9, 0],
    [9, 9],
    [0, 0],
  ];
  expect(await allOf(xmlFeatures("kml", chunked(text, size), {}))).toEqual([
    {
      id: "a",
      properties: { name: "Ærø & co", kind: "isle", size: "3" },
      geometry: {
        type: "GeometryCollection",
        geometries: [
          { type: "Point", coordinates: [1, 2, 3] },
          { type: "Polygon", coordinates: [ringPositions] },
        ],
      },
    },
    { id: undefined, properties: { description: "<b>none</b>" }, geometry: null },
  ]);
});

test("GPX has points, routes and tracks", async () => {
  const text = `<gpx><rte><name>R</name><rtept lat="1" lon="2"/><rtept lat="3" lon="4"/></rte>
    <trk><trkseg><trkpt lat="1" lon="2"><ele>7</ele></trkpt></trkseg></trk><wpt lat="x" lon="1"/></gpx>`;
  const features = await allOf(xmlFeatures("gpx", chunked(text, 20), {}));
  expect(features).toMatchObject([
    {
      geometry: {
        type: "LineString",
        coordinates: [
          [2, 1],
          [4, 3],
        ],
      },
      properties: { name: "R" },
    },
    { geometry: { type: "MultiLineString", coordinates: [[[2, 1, 7]]] } },
    { geometry: { coordinates: [1, Number.NaN] } },
  ]);
});

test.each([
  ['<!DOCTYPE kml [<!ENTITY a "b">]><kml/>', "document type"],
  ["<gpx></gpx>", "The file is not KML"],
  ["<kml><Placemark>", "not XML"],
])("KML such as %s is refused", async (text, reason) => {
  await expect(allOf(xmlFeatures("kml", chunked(text, 9), {}))).rejects.toThrow(reason);
});

const limitBytes = 20_000;

/** A text that goes on and on. */
async function* endless(start: string, repeated: string) {
  yield Buffer.from(start);
  const chunk = Buffer.from(repeated.repeat(1_000));
  for (let count = 0; count < 50; count += 1) yield chunk;
}

test.each([
  ["a comment", "<kml><!--", "x"],
  ["an attribute", '<kml><Placemark id="', "x"],
  ["a text outside of a feature", "<kml>", "x"],
  ["a processing instruction", "<kml><?a ", "x"],
  ["attributes of one feature", "<kml><Placemark>", `<a b="cdef"/>`],
  ["empty elements of one feature", "<kml><Placemark>", "<a/>"],
])("%s without an end is refused, not kept", async (_name, start, repeated) => {
  const reading = allOf(xmlFeatures("kml", endless(start, repeated), {}, limitBytes));
  await expect(reading).rejects.toThrow("An element is too long");
});

async function placemark(content: string) {
  const text = kml(`<Placemark>${content}</Placemark>`);
  const [only] = await allOf(xmlFeatures("kml", chunked(text, 50), {}));
  return only;
}
const point = "<Point><coordinates> 1, 2 </coordinates></Point>";
const track =
  "<when>2026-01-01</when><gx:coord>1 2 3</gx:coord><gx:coord/><gx:coord>4 5 6</gx:coord>";
const line = [
  [1, 2, 3],
  [4, 5, 6],
];

test.each([
  [
    "points",
    `<MultiGeometry>${point}${point}</MultiGeometry>`,
    "MultiPoint",
    [
      [1, 2],
      [1, 2],
    ],
  ],
  ["a track", `<gx:Track>${track}</gx:Track>`, "LineString", line],
  [
    "tracks",
    `<gx:MultiTrack><gx:Track>${track}</gx:Track></gx:MultiTrack>`,
    "MultiLineString",
    [line],
  ],
  [
    "a model",
    "<Model><Location><longitude>1</longitude><latitude>2</latitude></Location></Model>",
    "Point",
    [1, 2],
  ],
])("KML has %s", async (_name, content, type, coordinates) => {
  expect(await placemark(content)).toMatchObject({ geometry: { type, coordinates } });
});

test("KML has times", async () => {
  const span = "<TimeSpan><begin>2026</begin><end>2027</end></TimeSpan>";
  expect(await placemark(span)).toMatchObject({ properties: { begin: "2026", end: "2027" } });
  expect(await placemark("<TimeStamp><when>2026</when></TimeStamp>")).toMatchObject({
    properties: { when: "2026" },
  });
});

test("GPX may have waypoints only, and tracks with a segment without positions", async () => {
  const text = `<gpx><wpt lat="1" lon="2"><ele>3</ele><time>2026</time></wpt><trk><trkseg/>
    <trkseg><trkpt lat="1" lon="2"/><trkpt lat="3" lon="4"/></trkseg></trk></gpx>`;
  const features = await allOf(xmlFeatures("gpx", chunked(text, 20), {}));
  expect(features).toMatchObject([
    { geometry: { coordinates: [2, 1, 3] }, properties: { gpx: "wpt", time: "2026" } },
    {
      geometry: {
        coordinates: [
          [
            [2, 1],
            [4, 3],
          ],
        ],
      },
    },
  ]);
});
