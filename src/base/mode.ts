/** Whether a till moves money. A till has one mode, from its first sale to its last. */
export type Mode = 'test' | 'live';

/** The mode shown on receipts, on screens and to programs: a training till is one person's test till. */
export const displayModes = ['live', 'test', 'training'] as const satisfies readonly (Mode | 'training')[];
export type DisplayMode = (typeof displayModes)[number];
