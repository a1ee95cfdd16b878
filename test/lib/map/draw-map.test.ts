import { expect, test } from "vitest";
import { coastLines } from "#lib/map/coast.ts";
import { drawMap } from "#lib/map/draw-map.ts";
import type { MapPoint, MapWindow } from "#lib/map/window.ts";

const coast = coastLines();

function frame(
  points: readonly MapPoint[],
  size: { readonly columns: number; readonly rows: number; readonly window?: MapWindow },
): string {
  const { lines } = drawMap({ points, coast, ...size });
  return lines.map((line) => line.map(({ text }) => text).join("")).join("\n");
}

test("the whole earth has its coasts, and no line at its edges", () => {
  expect(frame([], { columns: 64, rows: 18 })).toMatchInlineSnapshot(`
    "              ⢀⣀⣠⡤⠤⢤⣤⣄⣀⣠⡤⠤⣤⣤⣄⣀    ⣀⣀⣀  ⢀⣀⡀      ⣀⡀
    ⡀  ⣀⣀⣀⡀ ⢀⣠⣾⣿⣿⣿⣿⣿⣿⢶⢏⣛⠓⠲⣄    ⣠⡿    ⠈⠛⢛⣉⣀   ⣴⡶⢒⣦⣄⡤⠖⠚⠛⠛⠶⠦⠤⢤⣀⣲⠶⣶⣀⡀ ⡀⢀
    ⠷⠶⣿⠇⢀⣀⣉⠉⠉⠉⠉⠉⠙⠉⠙⡩⠿⣿⣿⣿⣷⠂⠻⣀⡴⠒⠉⠹⠶⠖  ⢀⠤⠊⣵⣖⡘⠿⠟⠛⠉⠉⠉⠙⠃             ⢀⣉⡍⣉⣩
      ⠹⠟⠛⠉⠈⠉⢷⣄     ⠙⠒⢦⠇⠈⣉⣢⡄       ⣼⣿⣬⠿⠾⠵⠋                   ⢾⣍⠉⢹⡽⠉⠁
             ⢹⠃       ⢀⣾⠿⠋⠛       ⡤⠽⣠⣤⣶⡄⣠⣶⣶⡄⢶⣆           ⣀⢀⡤⢾⡿
             ⠈⠳⣄    ⣀⣠⠟           ⡷⠚⠓⠻⢟⣹⣟⣲⡆ ⢘⠛          ⠈⢟⠿⡶⠾⠃
       ⢀⡀      ⠙⠷⡄⢸⢉⣉⣿⣆         ⢀⡞⠁      ⠈⢷⡀⠘⠷⣶⠲⣄  ⣀⡄ ⢀⣀⡤⡾
        ⠁        ⠉⠚⠫⢗⡆⢉⣉⣁⡀      ⠠⡇        ⠘⢷⣤⡚⠁ ⠈⣆⡞⠁⠘⣦⣌⡏ ⣿⡄
                    ⠈⢙⡏⠁⠈⠑⢲⡀     ⠙⠦⠶⠲⢤     ⢀⡜    ⠈⠛ ⠰⣿⣎⣠⢼⣟⣃
                     ⢸     ⠉⠓⢢       ⠘⡄   ⢰⡇         ⠈⠿⣽⣞⣿⣚⠻⣫⣲⣼⠦⣄
    ⠄                 ⠣⣄    ⢀⡇        ⡇   ⣠⢧⢾            ⣩⠗⠋⢧⢷⡉ ⠈⠰ ⢠
                       ⡎   ⡔⠚         ⢹⡀ ⣠⠃⠸⠎           ⡏⠁    ⠙⡆ ⠉
                      ⢠⠇⢀⣰⠚            ⠓⠒⠃              ⠻⠒⠋⠙⠶⣀⣰⠃  ⢰⣄
                      ⢸⢡⡟                       ⣀            ⠘⠃  ⠰⠞⠁
                      ⠘⠾⠆⠉
                       ⣠⣴⠒           ⡀⡀⡀ ⣀⣀⣀⡠⠤⢤⣄⡀⣀⡠⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⢤⣀⣀⡀
      ⢀⣠⣤⣤⠤⠖⠒⠒⠒⠒⠲⠾⠟⠒⠒⠒⣾⠿⠽⡃⢀⣀⡀⢀⣤⠤⠤⠚⠉⠉⠉⠉⠉⠈⠉⠁      ⠉⠁              ⢈⣟⠃
     ⠒  ⠙⠋            ⠈⠉⠉⠑⠋⠉⠉⠉⠉                                 ⠉⠓⠒"
  `);
});

test("places are marked by their number over the coasts around them", () => {
  const sydney: MapPoint = [151.2, -33.87];
  const points: MapPoint[] = [
    [115.86, -31.95],
    [144.96, -37.81],
    [144.97, -37.8],
  ];
  points.push([130.84, -12.46], ...Array.from({ length: 12 }, () => sydney));
  expect(frame(points, { columns: 48, rows: 18 })).toMatchInlineSnapshot(`
    "                      ⢶⠤⣀⡀⢀⡀     ⡼⣆       ⠉⠁
                       ⢀⡔o⠉  ⠈⢁⡜    ⢀⠇⠘⡆
                  ⡠⠞⠉⠱⠤⢮      ⣎     ⠸⡀ ⠳⠢⡀
                ⣄⡾             ⠑⠦⣀  ⡸    ⣇
               ⡸⠈⠁                ⠑⠒⠁    ⢸
           ⢀⣀⡠⠜                           ⠑⠦⣀
      ⢀⣀⠴⠚⠊⠉                                ⠈⢆
      ⡟                                      ⠘⠑⡆
     ⠸⡁                                        ⠈⢢
     ⢰⡳                                          ⢱
      ⢇                                          ⠘⡄
       ⡣                                         ⢠⠇
       ⠸⡀              ⢀⣀⣀                       ⣸
        o        ⢀⠤⠖⠒⠊⠉⠁  ⠉⠑⢢⡀  ⣀               ⡠⠃
       ⠼⣅  ⣠⠴⠒⠒⠒⠒⠃           ⠸⣠⠒⣝⡄             +
         ⠉⠉                    ⠈⠉⠓⢦           ⡔⠁
                                  ⠈⢦⡀   2  ⢀⣀⠤⠇
                                    ⠈⠉⠑⠊⠈⠑⠜⠁"
  `);
});

test("places on both sides of 180 degrees are next to each other", () => {
  const points: MapPoint[] = [
    [178.44, -18.14],
    [-171.77, -13.83],
    [174.76, -36.85],
  ];
  expect(frame(points, { columns: 40, rows: 14 })).toMatchInlineSnapshot(`
    "                          o
         ⢰⣄
          ⠙⠂        ⣀⡶⠚
                    ⠓o
       ⠲⣢⡀
        ⠈⠛⠂





               ⢀⡀
               ⠈⠫⣇⡀
                 o⠙⠢⢔⠆"
  `);
});

test("places outside of a given window are left out", () => {
  const window = { west: -10, south: 49, east: 3, north: 60 };
  const points: MapPoint[] = [
    [-1.6, 54.97],
    [3, 49],
    [-10, 60],
    [3.01, 55],
    [0, 48.9],
    [179, 55],
  ];
  expect(frame(points, { columns: 30, rows: 14, window })).toMatchInlineSnapshot(`
    "o
               ⣠⣀⣀⣀⣀⠄
             ⢀⠎   ⡔⢁⣀⣀⣀
             ⡇   ⠈⠉⠁ ⢀⡇
            ⠈⠢⡄     ⡠⠊
              ⣇⢦⠄  ⠈⠉⠉⠱⡀
       ⣀⠔⠊⠉⠉⠒⢄⡀⠺⠤⢄⣀    o⢄⣀
    ⢀⠤⠊     ⢀⠎     ⠓⡄     ⢣
    ⠈⢣      ⢘⠆  ⡖⠒⠒⠒⠁      ⢳⡀
    ⢠⠜    ⢀⡠⠃   ⣣⡀          ⠈⠉⢹
    ⠓⠢⠤⠤⠒⠊⠉   ⠈⠯⣄⣀⣀⡀         ⠲⡉
               ⣀⠔⠉⠁⢀⣀ ⢀⣀⣀⠤⠤⢄⡠⠒⢡⠒⠒⠉
             ⠠⢮⠤⠒⠒⠒⠃⠈⠉⠁     ⣀⠤⠇
                      ⢸⠑⠢⠒⠊⠉     o"
  `);
});
