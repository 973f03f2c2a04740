/**
 * An acquirer with an HSM, card brands, issuers and their accounts, all in this process. One transaction of the ledger
 * holds an outcome and the account it changed, so that no crash can separate them.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/ids.ts';
import { luhnIsValid } from '../../../emv/luhn.ts';
import { testKeys } from '../../../emv/test-cards.ts';
import type { Acquirer, OpenedCard, Pos } from '../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import type { AcquirerMemory } from '../../store/documents.ts';
import { createAccountLookup, createRuleLookup, defaultAccounts, type IssuerAccount } from './accounts.ts';
import { authorise } from './authorise.ts';
import type { OperationOutcome } from './documents.ts';
import { type Hsm, openHsm } from './hsm.ts';
import { ledgerInTransaction, openLedger } from './ledger.ts';
import { decidePending, PATIENCE_MS, shopperPage, shopperPagePath } from './methods/shopper-decision.ts';
import { closingChange, type SimulatorContext } from './record.ts';
import { refer } from './refer.ts';
import { readRequest } from './request.ts';
import { triggerOf } from './responses.ts';

export type SimulatorAcquirerOptions = {
  memory: AcquirerMemory;
  clock: Clock;
  random: Random;
  /** The issuers' accounts; the test cards by default. Other valid card numbers are accounts with ample funds. */
  accounts?: readonly IssuerAccount[];
  /** Called when the shopper of a payment has decided, before they return to the shop. */
  onDecision?: (id: string) => Promise<void>;
};

/** A page that a shopper's browser opens, with its path. */
type Page = { path: string; handle: (request: Request) => Promise<Response> };

type Simulator = { acquirer: Acquirer; pages: readonly Page[] };

/**
 * The acquirer over this memory, and the page of the simulated bank. Any number of them can share one memory at the
 * same time, in any number of processes. Its operations throw only what the memory throws, and `gateway.state` for
 * documents that cannot be read.
 */
export const openSimulator = (options: SimulatorAcquirerOptions): Simulator => {
  const { memory, clock, random, accounts = defaultAccounts } = options;
  const hsm = openHsm(testKeys);
  const context: SimulatorContext = {
    hsm,
    ledger: openLedger(memory),
    find: createAccountLookup(accounts),
    rulesOf: createRuleLookup(accounts, hsm.accountKey),
    clock,
    random: createPooledRandom(random),
  };
  const acquirer: Acquirer = {
    authorise: async (request) => authorise(context, request),
    refer: (request) => refer(context, request),
    inquire: (id, startedAt) => inquire(context, id, startedAt),
    openCard: (pos) => openCard(hsm, pos),
    withdraw: (id) => decidePending(context, id, 'leaves'),
    // Nothing may wait inside a transaction: a request with a slow answer is processed outside of it.
    authoriseInTransaction: (documents, request) =>
      triggerOf(request)?.kind === 'slow'
        ? undefined
        : authorise({ ...context, ledger: ledgerInTransaction(documents) }, request),
  };
  return { acquirer, pages: [{ path: shopperPagePath, handle: shopperPage(context, options.onDecision) }] };
};

/** The acquirer alone. */
export const simulatorAcquirer = (options: SimulatorAcquirerOptions): Acquirer => openSimulator(options).acquirer;

// Random bytes in small pieces: reference numbers and approval codes take a few each, many times a second.

const POOL_BYTES = 4096;

/**
 * Returns bytes from a larger draw: calling the system's generator costs more than the rest of an answer. No byte is
 * used twice. For printed numbers, never for keys.
 */
const createPooledRandom = (random: Random): Random => {
  let pool = new Uint8Array(0);
  return (length) => {
    if (length > POOL_BYTES) return random(length);
    if (length > pool.length) pool = new Uint8Array(random(POOL_BYTES));
    const chunk = pool.subarray(0, length);
    pool = pool.subarray(length);
    return chunk;
  };
};

// Finds the outcome of an operation, or closes its id if there is none.

/**
 * The answer to the operation with this id, also a pending one; a payment that waited too long for its shopper ends
 * here. Undefined if the operation never came; its id is closed in the same transaction, so that a request still on its
 * way is declined when it arrives. A second inquiry gives the same result.
 */
const inquire = async (context: SimulatorContext, id: string, beganAt: number): Promise<AcquirerAnswer | undefined> => {
  const existing = await context.ledger.read('outcome', id);
  // Nobody decided in time. A shopper who pays at this very moment either comes first or finds the payment ended.
  if (existing?.pending === true && context.clock.now() >= beganAt + PATIENCE_MS)
    return decidePending(context, id, 'timesOut');
  if (existing !== undefined) return answerUnlessClosed(existing);
  return context.ledger.withLocks([`outcome ${id}`], async (transaction) => {
    const current = await transaction.read('outcome', id);
    if (current !== undefined) return answerUnlessClosed(current);
    // The amount of the unknown request is not known.
    const amount = { minor: 0n, currency: 'XXX' };
    await transaction.write([closingChange(context, id, { by: 'inquiry', at: beganAt, amount })]);
    return undefined;
  });
};

const answerUnlessClosed = ({ closedBy, answer }: OperationOutcome): AcquirerAnswer | undefined =>
  closedBy === 'inquiry' ? undefined : answer;

// Decrypts a terminal's card data for the gateway's vault.

/** Undefined if it cannot be decrypted, or for a card without number or expiry date: it could not be charged later. */
const openCard = (hsm: Hsm, pos: Pos): OpenedCard | undefined => {
  if (pos.encryptedSred === undefined) return undefined;
  const reading = readRequest(hsm, { pos });
  if ('refused' in reading || reading.expiry === undefined || !luhnIsValid(reading.card.pan)) return undefined;
  const { pan: number, holder = '' } = reading.card;
  const { month: expiryMonth, year: expiryYear } = reading.expiry;
  return { number, expiryMonth, expiryYear, holder: isName(holder) ? holder : undefined };
};

/** A name in the form of card.holder (spec 2.5). A stripe may have filling characters in its place. */
const isName = (text: string): boolean => /^[\p{L} .'-]{3,128}$/u.test(text);
