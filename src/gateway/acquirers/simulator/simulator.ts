/**
 * An acquirer with everything behind it: an HSM, card brands, issuers and their accounts, all in this process.
 * One document write holds an outcome and the account it changed, so that no crash can part them.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/ids.ts';
import { testKeys } from '../../../emv/test-keys.ts';
import type { Acquirer, AcquirerMemory } from '../acquirer.ts';
import { type Account, accountBook, defaultAccounts } from './accounts.ts';
import { authorise } from './authorise.ts';
import { exclusive } from './exclusive.ts';
import { openHsm } from './hsm.ts';
import { openLedger } from './ledger.ts';
import { refer } from './refer.ts';
import type { Rooms } from './rooms.ts';

export type SimulatorAcquirerOptions = {
  memory: AcquirerMemory;
  clock: Clock;
  random: Random;
  /** Whom the issuers know; the test cards when not given. Other plausible card numbers are rich accounts. */
  accounts?: readonly Account[];
};

/**
 * The acquirer over this memory; a second one over the same memory goes on where the first stopped, but two at the same
 * time would overwrite each other's accounts. Its operations throw only what the memory throws, and `gateway.state`
 * for documents in it that cannot be understood.
 */
export const simulatorAcquirer = (options: SimulatorAcquirerOptions): Acquirer => {
  const { memory, clock, random, accounts = defaultAccounts } = options;
  const rooms: Rooms = {
    hsm: openHsm(testKeys),
    ledger: openLedger(memory),
    inTurn: exclusive(),
    find: accountBook(accounts),
    clock,
    random,
  };
  return {
    authorise: (request) => authorise(rooms, request),
    refer: (request) => refer(rooms, request),
    inquire: async (id) => (await rooms.ledger.read('outcome', id))?.answer,
  };
};
