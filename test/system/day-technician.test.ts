/** A technician under the counter in English, by keyboard alone. */
import { english } from '../../src/words/en/said.ts';
import { en } from '../../src/words/tables.ts';
import { technicianDay } from '../support/day/pairing.ts';

technicianDay(async () => ({
  language: 'en',
  table: { words: en, said: english },
  size: { width: 1280, height: 800 },
  scheme: 'light',
  by: 'keys',
}));
