import { DEFAULT_THEME } from '@mantine/core';
import { expect, test } from 'vitest';
import { stateColours } from '../../src/ui/parts/state-words.ts';
import { dimmed, theme, wordColours } from '../../src/ui/theme.ts';

const shades = { ...DEFAULT_THEME.colors, ...theme.colors } as Record<string, readonly string[]>;
const [LIGHT, DARK] = ['#ffffff', '#242424'];

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((index) => {
    const part = Number.parseInt(hex.slice(index, index + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (first: string, second: string): number => {
  const [low = 0, high = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

test('black on white is 21 to 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
});

test.each(Object.entries(wordColours))('text in %s is readable on white and on its own tint', (name, colour) => {
  expect(contrast(colour, LIGHT)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colour, shades[name]?.[1] ?? '')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colour, shades['gray']?.[0] ?? '')).toBeGreaterThanOrEqual(4.5);
});

test.each(Object.keys(wordColours))('a %s button has readable text, in black or white', (name) => {
  const filled = shades[name]?.[8] ?? '';
  const textColour = luminance(filled) > (theme.luminanceThreshold ?? 0) ? '#000000' : '#ffffff';
  expect(contrast(textColour, filled)).toBeGreaterThanOrEqual(4.5);
});

test('buttons in the action colour and in the approval colour have white text', () => {
  for (const name of ['blue', 'green'])
    expect(contrast('#ffffff', shades[name]?.[8] ?? ''), name).toBeGreaterThanOrEqual(4.5);
});

test('secondary text is still readable', () => {
  expect(contrast(dimmed.light, LIGHT)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(dimmed.dark, DARK)).toBeGreaterThanOrEqual(4.5);
});

test('each state has a readable colour, and no two have the same', () => {
  const colours = Object.values(stateColours);
  expect(colours.filter((colour) => !(colour in wordColours))).toEqual([]);
  expect(new Set(colours).size).toBe(colours.length);
});
