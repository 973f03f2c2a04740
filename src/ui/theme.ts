/**
 * Colours and sizes of the screens, chosen so that every text is readable: a contrast of at least 4.5 to 1, in light
 * and dark. One state has one colour everywhere: see `stateColours`. test/ui/theme.test.ts calculates the contrasts.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The background of what needs a person, with black text. */
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

/** The blue of everything clickable, on every screen: white is readable on shades 7 to 9. */
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

/** Dark enough for white text when filled. */
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

/** Text colours on white, on the colour's own tint and on a grey bar: Mantine's are too pale for that. */
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

/** Large enough for a finger. */
const touchable = { defaultProps: { size: 'lg' } };

export const theme = createTheme({
  components: {
    Button: touchable,
    Checkbox: touchable,
    NativeSelect: touchable,
    PasswordInput: touchable,
    Switch: touchable,
    TextInput: touchable,
  },
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  colors: { amber, blue, green },
  // Black or white, whichever contrasts more with the colour: never below 4.58 to 1.
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

/** Replaces Mantine's own values that are not readable. */
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
