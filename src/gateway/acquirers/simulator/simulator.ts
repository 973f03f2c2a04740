/**
 * An acquirer with everything behind it: an HSM, card brands, issuers and their accounts, all in this process.
 * One exclusive work of the memory holds an outcome and the account it changed, so that no crash can part them.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/ids.ts';
import { luhnIsValid } from '../../../emv/luhn.ts';
import { testKeys } from '../../../emv/test-cards.ts';
import type { Acquirer, OpenedCard, Pos } from '../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import type { AcquirerMemory } from '../../store/documents.ts';
import { accountBook, defaultAccounts, type IssuerAccount, ruleBook } from './accounts.ts';
import { authorise } from './authorise.ts';
import type { OperationOutcome } from './documents.ts';
import { type Hsm, openHsm } from './hsm.ts';
import { ledgerWithin, openLedger } from './ledger.ts';
import { decidePending, PATIENCE_MS, shopperPage, shopperPagePath } from './methods/shopper-decision.ts';
import { closing, type SimulatorContext } from './record.ts';
import { refer } from './refer.ts';
import { readRequest } from './request.ts';
import { triggerOf } from './responses.ts';

export type SimulatorAcquirerOptions = {
  memory: AcquirerMemory;
  clock: Clock;
  random: Random;
  /** Whom the issuers know; the test cards when not given. Other plausible card numbers are rich accounts. */
  accounts?: readonly IssuerAccount[];
  /** Hears of a payment that its shopper has decided, before they go back to the shop. */
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

// Random bytes in small pieces: reference numbers and approval codes take a few each, many times a second.

const POOL_BYTES = 4096;

/**
 * Hands out what it drew before: asking the system's generator costs more than the rest of an answer does.
 * No byte is handed out twice. For numbers that are printed, never for keys.
 */
const pooled = (random: Random): Random => {
  let pool = new Uint8Array(0);
  return (length) => {
    if (length > POOL_BYTES) return random(length);
    if (length > pool.length) pool = new Uint8Array(random(POOL_BYTES));
    const piece = pool.subarray(0, length);
    pool = pool.subarray(length);
    return piece;
  };
};

// What became of an operation; and that nothing will, if nothing did.

/**
 * The answer to the operation with this id, a pending one too; one that waited for its shopper too long ends here.
 * Undefined: it never came, and the id is closed in the same exclusive work, so that a request still on its way is
 * declined when it arrives. Asked again, the same.
 */
const inquire = async (rooms: SimulatorContext, id: string, began: number): Promise<AcquirerAnswer | undefined> => {
  const early = await rooms.ledger.read('outcome', id);
  // Nobody decided in time. Whoever pays at this very moment comes before this, or finds the payment ended.
  if (early?.pending === true && rooms.clock.now() >= began + PATIENCE_MS) return decidePending(rooms, id, 'timesOut');
  if (early !== undefined) return answerUnlessClosed(early);
  return rooms.ledger.exclusively([`outcome ${id}`], async (transaction) => {
    const seen = await transaction.read('outcome', id);
    if (seen !== undefined) return answerUnlessClosed(seen);
    // Nobody said of how much it would have been.
    const amount = { minor: 0n, currency: 'XXX' };
    await transaction.write([closing(rooms, id, { by: 'inquiry', at: began, amount })]);
    return undefined;
  });
};

const answerUnlessClosed = ({ closedBy, answer }: OperationOutcome): AcquirerAnswer | undefined =>
  closedBy === 'inquiry' ? undefined : answer;

// The card of a terminal's encrypted data, for the gateway's vault.

/** Undefined when it does not open, and for a card without number or expiry: it could not be charged later. */
const openCard = (hsm: Hsm, pos: Pos): OpenedCard | undefined => {
  if (pos.encryptedSred === undefined) return undefined;
  const reading = readRequest(hsm, { pos });
  if ('refused' in reading || reading.expiry === undefined || !luhnIsValid(reading.card.pan)) return undefined;
  const { pan: number, holder = '' } = reading.card;
  const { month: expiryMonth, year: expiryYear } = reading.expiry;
  return { number, expiryMonth, expiryYear, holder: isName(holder) ? holder : undefined };
};

/** As card.holder wants it (spec 2.5). What a stripe has in its place may be filling. */
const isName = (text: string): boolean => /^[\p{L} .'-]{3,128}$/u.test(text);
