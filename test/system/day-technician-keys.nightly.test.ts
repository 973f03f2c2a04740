/**
 * A technician's work in English, by keyboard alone. By day: `test/system/day-technician.test.ts` notices a flow that
 * breaks, by touch, and `test/system/screens-technician.test.ts` a panel that the keyboard cannot reach.
 */
import { english } from '../../src/locales/messages/en/faults.ts';
import { en } from '../../src/locales/screens.ts';
import { technicianDay } from '../support/day/pairing.ts';

technicianDay(async () => ({
  language: 'en',
  table: { words: en, messages: english },
  size: { width: 1280, height: 800 },
  scheme: 'light',
  by: 'keys',
}));
