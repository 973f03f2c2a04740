/** Which way a text is written. */

/** Letters of Arabic, Hebrew and the like. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
