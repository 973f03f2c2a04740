/** The text of a file that a person or another program wrote, whatever editor saved it. */
import { readFileSync } from 'node:fs';
import { textIn } from './text.ts';

/** Of a path, or of standard input as 0. Throws what the system throws, and `NotUnicode`. */
export const readTextFile = (file: string | 0): string => textIn(readFileSync(file));
