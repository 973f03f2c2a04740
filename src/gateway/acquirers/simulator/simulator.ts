/**
 * An acquirer with everything behind it: an HSM, card brands, issuers and their accounts, all in this process.
 * One exclusive work of the memory holds an outcome and the account it changed, so that no crash can part them.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/ids.ts';
import { testKeys } from '../../../emv/test-keys.ts';
import type { Acquirer, AcquirerMemory } from '../acquirer.ts';
import { accountBook, defaultAccounts, type IssuerAccount, ruleBook } from './accounts.ts';
import { authorise } from './authorise.ts';
import { pooled } from './draw.ts';
import { openHsm } from './hsm.ts';
import { inquire } from './inquire.ts';
import { ledgerWithin, openLedger } from './ledger.ts';
import { decidePending } from './methods/pending.ts';
import { shopperPage, shopperPagePath } from './methods/shopper-page.ts';
import { openCard } from './open-card.ts';
import { refer } from './refer.ts';
import type { SimulatorContext } from './rooms.ts';
import { triggerOf } from './triggers.ts';

export type SimulatorAcquirerOptions = {
  memory: AcquirerMemory;
  clock: Clock;
  random: Random;
  /** Whom the issuers know; the test cards when not given. Other plausible card numbers are rich accounts. */
  accounts?: readonly IssuerAccount[];
  /** Hears of a payment that its shopper has decided, before he goes back to the shop. */
  decided?: (id: string) => Promise<void>;
};

/** A page that a shopper's browser opens, by its route. */
type Page = { path: string; handle: (request: Request) => Promise<Response> };

type Simulator = { acquirer: Acquirer; pages: readonly Page[] };

/**
 * The acquirer over this memory, and the page of the simulated bank. Any number of them may work over one memory at the
 * same time, in any number of processes. Its operations throw only what the memory throws, and `gateway.state` for
 * documents in it that cannot be understood.
 */
export const openSimulator = (options: SimulatorAcquirerOptions): Simulator => {
  const { memory, clock, random, accounts = defaultAccounts } = options;
  const hsm = openHsm(testKeys);
  const rooms: SimulatorContext = {
    hsm,
    ledger: openLedger(memory),
    find: accountBook(accounts),
    rulesOf: ruleBook(accounts, hsm.accountKey),
    clock,
    random: pooled(random),
  };
  const acquirer: Acquirer = {
    authorise: async (request) => authorise(rooms, request),
    refer: (request) => refer(rooms, request),
    inquire: (id, began) => inquire(rooms, id, began),
    openCard: (pos) => openCard(hsm, pos),
    withdraw: (id) => decidePending(rooms, id, 'leaves'),
    // Nobody may wait in a transaction: a slow answer is asked for outside of it.
    authoriseWithin: (documents, request) =>
      triggerOf(request)?.kind === 'slow'
        ? undefined
        : authorise({ ...rooms, ledger: ledgerWithin(documents) }, request),
  };
  return { acquirer, pages: [{ path: shopperPagePath, handle: shopperPage(rooms, options.decided) }] };
};

/** The acquirer alone. */
export const simulatorAcquirer = (options: SimulatorAcquirerOptions): Acquirer => openSimulator(options).acquirer;
