/**
 * The whole contract of integrated terminals, with its sweep of faults, on each dialect of ZVT terminals and on any two
 * that interact. By day: `test/contract/zvt-dialects.test.ts` notices a dialect on which the driver does not sell.
 */
import { describe } from 'vitest';
import { dialectPairs } from '../../drivers/simulation/simulator.ts';
import { zvtDriver } from '../../drivers/zvt/driver/driver.ts';
import { zvtDialects } from '../../drivers/zvt/protocol/dialects.ts';
import { zvtSimulatorOf } from '../../drivers/zvt/simulator/simulator.ts';
import { integratedContract } from './integrated-terminal-cases.ts';
import { zvtCodes } from './zvt-codes.ts';

/**
 * A locked terminal sells nothing: its message and what unlocks it are tested by day. Dialects that break the contract,
 * or the counting of its faults, are tested with the line cut, where the till handles them: terminals that do not
 * report their last payment or report a reversed one, that close connections, or that accept no second connection
 * meanwhile.
 */
const others = [
  ...['repeat-bare', 'repeat-none', 'repeat-before', 'repeat-acknowledged'],
  ...['unheard-reversed', 'socket-each', 'second-refused'],
];
const isLeftOut = (name: string, about: string): boolean => about === 'lock' || others.includes(name);
const selling = Object.fromEntries(Object.entries(zvtDialects).filter(([name, { about }]) => !isLeftOut(name, about)));

/** Dialects that affect the same message, the same receipt, or the same moment of a conversation. */
const places: readonly (readonly string[])[] = [
  ['prints', 'receipts', 'texts', 'day'],
  ['containers', 'currency', 'order', 'pin', 'results', 'bitmaps', 'pan', 'reversals', 'endings'],
  ['socket', 'connections', 'unheard', 'repeat', 'statuses', 'endings'],
  ['version', 'containers', 'socket'],
];

const touchesOther = (names: readonly string[]): boolean =>
  places.some((place) => names.every((name) => place.includes(selling[name]?.about ?? '')));

const sets = dialectPairs(selling).filter((names) => names.length === 1 || touchesOther(names));

describe.each(sets.map((names) => [names.join(' and '), names] as const))('%s', (_, dialects) => {
  // On this dialect the till asks once more who the terminal is.
  const more = dialects.includes('status-plain') ? 1 : 0;
  const saleMessages = [5, 6, 7, 8, 9, 10].map((message) => message + more);
  integratedContract({
    ...{ driver: zvtDriver({ form: 'apdu' }), model: zvtSimulatorOf({ form: 'apdu' }), modelName: 'SIMULATED ZVT' },
    ...{ hello: 2 + more, saleMessages, codes: zvtCodes, dialects, redials: true },
  });
});
