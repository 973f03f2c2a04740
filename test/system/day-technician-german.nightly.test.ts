/**
 * A technician's work in German, by touch, on a small dark screen. By day: `test/system/day-technician.test.ts` notices
 * a flow that breaks, and `test/system/screens-technician.test.ts` a panel that is too small for its language.
 */
import { load } from '../../src/locales/load.ts';
import { technicianDay } from '../support/day/pairing.ts';

technicianDay(async () => ({
  language: 'de',
  table: await load.de(),
  size: { width: 800, height: 480 },
  scheme: 'dark',
  by: 'touch',
}));
