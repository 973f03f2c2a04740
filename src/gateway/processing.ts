/**
 * How a payment is carried out: written as processing before the acquirer is asked, ended after, once for each claim.
 *
 * A repeated request waits for the first and gets its payment. A payment whose acquirer fell silent stays processing
 * and is asked for again when somebody looks at it, and at the next start. One that the acquirer never saw gives its
 * claims free with its ending: the next equal request is carried out anew.
 */
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Acquirer, AcquirerAnswer } from './acquirers/acquirer.ts';
import { meaningOf } from './results.ts';
import type { Claim, Ending, Payment, PaymentFacts, Session, Store } from './store/store.ts';
import { underWay } from './under-way.ts';

/**
 * The ending of a payment that the acquirer never saw, found out after a crash: no money moved. The catalogue's
 * "previously pending transaction timed out", which every client counts as rejected.
 */
export const NEVER_SENT = '100.396.103';
const MALFORMED_CODE = '999.999.999';

export type Task = {
  id: string;
  claims: readonly Claim[];
  /** Reads what it needs and says what is to be written. Undefined: nothing, the request names no payment. */
  open: (session: Session) => Promise<Opening | undefined>;
};

export type Opening = { payment: Payment; ask?: () => Promise<AcquirerAnswer> };

export type Opened =
  /** New, or the earlier one that an equal request began. With the acquirer's doubt, if that is all there is yet. */
  | { kind: 'payment'; payment: Payment; doubt?: string }
  /** A key was used before, with another body. */
  | { kind: 'differs'; paymentId: string }
  | { kind: 'nothing' };

export type Processing = {
  carryOut(task: Task): Promise<Opened>;
  /** The payment as it now stands, after another try to end it if it has no ending. */
  look(id: string): Promise<Payment | undefined>;
  /** Ends what an earlier process left without an ending. */
  recover(): Promise<void>;
  /** Resolves when nothing is under way. */
  quiet(): Promise<void>;
};

export type ProcessingOptions = {
  store: Store;
  acquirer: Acquirer;
  clock: Clock;
  /** How long a request waits for the acquirer before its answer is "pending". */
  patienceMs: number;
  /** Hears of faults that have no request to go to. */
  report: (error: unknown) => void;
};

export const processing = (options: ProcessingOptions): Processing => {
  const { store, acquirer, report } = options;
  const works = underWay(options);

  /** What the acquirer knows of it is its ending, even if that is a doubt: there is nobody else to ask. */
  const inquire = async (payment: Payment): Promise<void> =>
    store.finish(payment.id, endingOf(payment, await acquirer.inquire(payment.id)));

  /** Resolves with the acquirer's code when it is one of doubt. */
  const conclude = async ({ payment, ask }: Opening): Promise<string | undefined> => {
    if (payment.state === 'done' || ask === undefined) return undefined;
    let answer: AcquirerAnswer;
    try {
      answer = await ask();
    } catch (error) {
      report(error);
      await inquire(payment);
      return undefined;
    }
    // No answer came through. The payment stays open, and whoever looks at it next has the acquirer asked for it.
    if (meaningOf(answer.resultCode) === 'unknown') return codeOf(answer.resultCode, payment.facts);
    await store.finish(payment.id, endingOf(payment, answer));
    return undefined;
  };

  const look = async (id: string): Promise<Payment | undefined> => {
    const payment = await store.payment(id);
    if (payment?.state !== 'processing' || works.has(id)) return payment;
    await inquire(payment).catch(report);
    return store.payment(id);
  };

  return {
    async carryOut({ id, claims, open }) {
      let doubt: string | undefined;
      const begun = store.atomically((session) => begin(session, claims, open));
      // Registered before anything is awaited: an equal request that finds the claim finds the work too.
      works.start(
        id,
        begun.then(async (found) => {
          if ('payment' in found) doubt = await conclude(found);
        }),
      );
      const found = await begun;
      if ('differs' in found) return { kind: 'differs', paymentId: found.differs };
      if ('nothing' in found) return { kind: 'nothing' };
      const paymentId = 'payment' in found ? found.payment.id : found.repeats;
      await works.wait(paymentId);
      const payment = await ('payment' in found ? store.payment(paymentId) : look(paymentId));
      if (payment === undefined) throw new Fault('gateway.state', { why: `payment ${paymentId} is gone` });
      return { kind: 'payment', payment, ...(doubt === undefined ? {} : { doubt }) };
    },
    look,
    async recover() {
      for (const payment of await store.unfinished()) await inquire(payment).catch(report);
    },
    quiet: () => works.quiet(),
  };
};

type Begun = Opening | { repeats: string } | { differs: string } | { nothing: true };

const begin = async (session: Session, claims: readonly Claim[], open: Task['open']): Promise<Begun> => {
  for (const { key, fingerprint } of claims) {
    const earlier = await session.claimed(key);
    if (earlier === undefined) continue;
    return earlier.fingerprint === fingerprint ? { repeats: earlier.paymentId } : { differs: earlier.paymentId };
  }
  const opening = await open(session);
  if (opening === undefined) return { nothing: true };
  await session.add(opening.payment, claims);
  return opening;
};

const endingOf = ({ facts }: Payment, answer: AcquirerAnswer | undefined): Ending => {
  if (answer === undefined) {
    const why = 'It was interrupted and never reached the acquirer.';
    return { resultCode: NEVER_SENT, facts: { ...facts, why }, frees: 'claims' };
  }
  const { resultCode, account, ...rest } = answer;
  return { resultCode: codeOf(resultCode, facts), facts: { ...facts, ...kept(account, facts), answer: rest } };
};

/** Success at the processor’s own test system has a code of its own. */
const codeOf = (code: string, { echo }: PaymentFacts): string => {
  if (!/^\d{3}\.\d{3}\.\d{3}$/.test(code)) return MALFORMED_CODE;
  return code === '000.100.110' && echo['testMode'] === 'EXTERNAL' ? '000.100.112' : code;
};

/** The account as the acquirer found it behind encrypted data; what the merchant sent in plain stays. */
const kept = (account: AcquirerAnswer['account'], facts: PaymentFacts): Partial<PaymentFacts> => {
  if (account === undefined) return {};
  const { brand, ...card } = account;
  return { card: { ...card, ...facts.card }, paymentBrand: facts.paymentBrand ?? brand };
};
