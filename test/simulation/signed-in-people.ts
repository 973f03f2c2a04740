/** The people at a till: a manager adds the cashiers, and they sign in with their PINs. */
import { isFault } from '../../src/base/fault.ts';
import type { DayAction } from './day-action.ts';
import type { Row } from './day-rows.ts';
import type { Station } from './station.ts';

const manager = { name: 'Mara', role: 'manager', pin: '804512' } as const;
const cashiers = [
  { name: 'Ada', role: 'cashier', pin: '271828' },
  { name: 'Ben', role: 'cashier', pin: '314159' },
] as const;

const personOf = ({ a }: Row) => cashiers[a % cashiers.length] ?? cashiers[0];
const isWrong = ({ b }: Row): boolean => b % 5 === 0;

/** Stretching a PIN takes real time; the store's time does not advance meanwhile. */
const signInPerson = async (station: Station, row: Row): Promise<void> => {
  const { staff } = station.run.running;
  const person = personOf(row);
  if (!station.people.has(manager.name) && staff.people().length === 0) await staff.add(manager);
  station.people.add(manager.name);
  if (!staff.people().some(({ name }) => name === person.name)) await staff.add(person, manager);
  station.people.add(person.name);
  const pin = isWrong(row) ? '000000' : person.pin;
  const admitted = await staff.admit({ name: person.name, pin }, 'sell').catch((error: unknown) => {
    if (isFault(error, 'staff.refused', 'staff.locked')) return undefined;
    throw error;
  });
  if (admitted !== undefined && isWrong(row)) station.report(`${person.name} signed in with a wrong PIN`);
  station.setCashier(admitted?.name);
};

export const signIn: DayAction = {
  share: 2,
  describe: (row) => `${personOf(row).name} signs in${isWrong(row) ? ' with a wrong PIN' : ''}`,
  play: (station, row) => station.store.clock.real(signInPerson(station, row)),
};
