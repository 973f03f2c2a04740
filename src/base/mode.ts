/** Whether a till moves money. It is one or the other as a whole, from its first sale to its last. */
export type Mode = 'test' | 'live';

/** What papers, screens and programs are told: a training till is a test till of one person. */
export type DisplayMode = Mode | 'training';
