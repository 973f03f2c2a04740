/** A technician's work in English, by touch, on a small dark screen. */
import { english } from '../../src/locales/messages/en/faults.ts';
import { en } from '../../src/locales/screens.ts';
import { technicianDay } from '../support/day/pairing.ts';

technicianDay(async () => ({
  language: 'en',
  table: { words: en, messages: english },
  size: { width: 800, height: 480 },
  scheme: 'dark',
  by: 'touch',
}));
