/** A technician under the counter in German, by touch, on a small dark screen. */
import { load } from '../../src/words/load.ts';
import { technicianDay } from '../support/day/pairing.ts';

technicianDay(async () => ({
  language: 'de',
  table: await load.de(),
  size: { width: 800, height: 480 },
  scheme: 'dark',
  by: 'touch',
}));
