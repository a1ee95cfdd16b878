import { expect, test } from "vitest";
import {
  calibrationError,
  fitCalibration,
  logit,
  probability,
} from "#server/text/classification/calibration.ts";

const usual = { slope: 1, offset: 0 };

test("a fit follows many texts, and stays near the usual one for few", () => {
  const scores = Array.from({ length: 400 }, (_, index) => (index % 40) / 10 - 2);
  const hits = scores.map((score, index) => (score > 0 ? index % 10 !== 0 : index % 10 === 0));
  const fitted = fitCalibration(scores, hits, usual);
  expect(probability(fitted, 2)).toBeGreaterThan(0.8);
  expect(probability(fitted, -2)).toBeLessThan(0.2);
  const few = fitCalibration([2], [true], usual);
  expect(Math.abs(few.slope - 1) + Math.abs(few.offset)).toBeLessThan(0.5);
  expect(fitCalibration([], [], usual)).toEqual(usual);
});

test("a slope is never negative", () => {
  const scores = Array.from({ length: 100 }, (_, index) => index / 10 - 5);
  const reversed = scores.map((score) => score < 0);
  expect(fitCalibration(scores, reversed, usual).slope).toBeGreaterThan(0);
});

test("odds and errors are bounded", () => {
  expect(logit(0.5)).toBe(0);
  expect([logit(0), logit(1)].every(Number.isFinite)).toBe(true);
  expect(calibrationError([], [])).toBe(0);
  expect(calibrationError([1, 1], [true, false])).toBeCloseTo(0.5);
  expect(calibrationError([0.25, 0.25, 0.25, 0.25], [true, false, false, false])).toBeCloseTo(0);
});
