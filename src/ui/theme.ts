/**
 * Colours and sizes of the screens, such that every text can be read: 4.5 to 1 at least, in light and dark. One state
 * has one colour everywhere: see `stateColours`. test/ui/theme.test.ts reckons the contrasts.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** What needs a person is black on this. */
const amber: MantineColorsTuple = [
  '#fff8e1',
  '#ffecb3',
  '#ffe082',
  '#ffd54f',
  '#ffca28',
  '#ffc61a',
  '#ffc107',
  '#ffbb00',
  '#ffb300',
  '#ffa000',
];

/** One blue for all that is to be pressed, on every screen: white can be read on shades 7 to 9. */
const blue: MantineColorsTuple = [
  '#e8f1fe',
  '#cfe1fd',
  '#a3c6fa',
  '#74a9f7',
  '#4a8df3',
  '#2a76ee',
  '#1a6fe8',
  '#1263e0',
  '#0b5cdb',
  '#094aaf',
];

/** Dark enough for white words where it is filled. */
const green: MantineColorsTuple = [
  '#ebfbee',
  '#d3f9d8',
  '#b2f2bb',
  '#8ce99a',
  '#69db7c',
  '#40c057',
  '#2f9e44',
  '#237f3a',
  '#19753c',
  '#125c2e',
];

/** Words in a colour, on white, on the colour's own tint and on the grey of a bar: Mantine's are too pale for that. */
export const wordColours: Readonly<Record<string, string>> = {
  amber: '#6b4600',
  blue: '#094aaf',
  cyan: '#0b5563',
  gray: '#495057',
  grape: '#7a1f8f',
  green: '#1b5e2b',
  indigo: '#2b3f9e',
  lime: '#44600b',
  orange: '#8a3200',
  pink: '#99174a',
  red: '#a51111',
  teal: '#0a5a48',
  violet: '#5028b8',
  yellow: '#664d00',
};

export const dimmed = { light: '#5c636a', dark: '#b8b8b8' } as const;

export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  colors: { amber, blue, green },
  // Black or white, whichever is further from the colour: never below 4.58 to 1.
  autoContrast: true,
  luminanceThreshold: 0.179,
  defaultRadius: 'md',
  focusRing: 'always',
  cursorType: 'pointer',
  fontFamily:
    "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Segoe UI Arabic', 'Geeza Pro', 'Noto Sans Arabic', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'Noto Sans Mono', 'DejaVu Sans Mono', monospace",
});

const lightWords = Object.fromEntries(
  Object.entries(wordColours).flatMap(([name, colour]) => [
    [`--mantine-color-${name}-text`, colour],
    [`--mantine-color-${name}-light-color`, colour],
    [`--mantine-color-${name}-outline`, colour],
  ]),
);

/** In place of Mantine's own where those cannot be read. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...lightWords,
    '--mantine-color-anchor': '#094aaf',
    '--mantine-color-default-border': '#8a9299',
    '--mantine-color-dimmed': dimmed.light,
    '--mantine-color-error': '#a51111',
    '--mantine-color-placeholder': dimmed.light,
    '--mantine-color-success': '#1b5e2b',
  },
  dark: {
    '--mantine-color-anchor': '#74a9f7',
    '--mantine-color-default-border': '#7c7c7c',
    '--mantine-color-dimmed': dimmed.dark,
    '--mantine-color-error': '#ff8787',
    '--mantine-color-placeholder': dimmed.dark,
    '--mantine-color-success': '#69db7c',
  },
});
