/**
 * How a payment is processed: written as processing before the acquirer is asked, ended afterwards, once for each
 * claim.
 *
 * A repeated request waits for the first one and gets its payment. A payment whose acquirer does not answer stays
 * processing; the acquirer is asked again at each query and at the next start. A payment that the acquirer never saw,
 * or refused only temporarily, releases its claims when it ends: the next equal request is processed anew. A payment
 * that waits for the shopper also stays processing, with the acquirer's answer so far.
 */
import { type Clock, pause } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import { meaningOf } from '../spec/results.ts';
import type { HeldDocuments } from '../store/documents.ts';
import type { Payment } from '../store/records.ts';
import type { KeyedRequest, Session, Store } from '../store/store.ts';
import type { Acquirer } from './acquirer.ts';
import { codeOf, ended, endingOf, factsAfter } from './ending.ts';
import { type PaymentsInProgress, underWay } from './payments-in-progress.ts';
import { type EarlierOutcome, earlierOf } from './repeats.ts';
import type { Answer } from './response.ts';

export type Task = {
  id: string;
  claims: readonly KeyedRequest[];
  /** Beside its claims, locks against other transactions: the chain that it refers to. */
  names: readonly string[];
  /** Reads what it needs and returns what to write. Undefined: nothing, the request names no payment. */
  open: (session: Session) => Promise<PaymentOpening | undefined>;
};

export type PaymentOpening = {
  payment: Payment;
  ask?: () => Promise<AcquirerAnswer>;
  /** Payments without an ending that the acquirer must process before it is asked for this one. */
  after?: readonly string[];
  /** Refused for a temporary reason: its claims are not taken, so that an equal request later is a new one. */
  isOnlyForNow?: boolean;
  /** Asks inside the gateway's own transaction, if the acquirer can; no `processing` row is needed then. */
  askWithin?: (documents: HeldDocuments) => Promise<AcquirerAnswer> | undefined;
};

export type OpenedPayment =
  /**
   * A new one, or the payment that an equal request started. `doubt` is the acquirer's uncertain or pending code, if
   * there is no ending yet.
   */
  | { kind: 'payment'; payment: Payment; doubt?: string }
  /** An equal request was answered before, without a payment. */
  | { kind: 'answer'; answer: Answer }
  /** The key was used before, with another body. */
  | { kind: 'differs'; paymentId?: string }
  | { kind: 'nothing' };

export type Processing = {
  carryOut(task: Task): Promise<OpenedPayment>;
  /** The payment's current state, after another attempt to end it if it has no ending. */
  look(id: string): Promise<Payment | undefined>;
  /**
   * The payment with its ending: waits for it, and withdraws the payment from a shopper who has not decided. Still
   * processing only if its acquirer cannot withdraw it, or does not answer.
   */
  withdraw(id: string): Promise<Payment | undefined>;
  /** Ends payments that an earlier process left without an ending. */
  recover(): Promise<void>;
  /** Resolves when nothing is in progress. */
  quiet(): Promise<void>;
};

export type ProcessingOptions = {
  store: Store;
  acquirer: Acquirer;
  clock: Clock;
  /** How long a request waits for the acquirer before it is answered as pending. */
  patienceMs: number;
  /** Called with errors that belong to no request. */
  report: (error: unknown) => void;
};

/** How often a process checks for the ending of a payment that another process handles. */
const ELSEWHERE_MS = 50;

export const processing = (options: ProcessingOptions): Processing => {
  const { store, clock, report } = options;
  const works = underWay(options);
  const finding = endings(options, works);
  const { leaseMs, conclude, inquire, look, lookForEnding } = finding;
  const rounds = sweeping(options, works, finding);
  return {
    async carryOut(task) {
      const { id, claims, names } = task;
      let concluded: Conclusion = {};
      const keys = claims.map(({ key }) => key);
      const work = (session: Session) => begin(session, task, keys);
      const begun = store.atomically([...keys, ...names], work);
      // Registered before the first await: an equal request that finds the claim also finds the work.
      works.start(
        id,
        begun.then(async (found) => {
          if (found.kind === 'opening') concluded = await conclude(found.opening);
          if (found.kind === 'concluded') concluded = found;
        }),
      );
      const found = await begun;
      if (found.kind === 'differs' || found.kind === 'nothing' || found.kind === 'answer') return found;
      if (found.kind === 'concluded' && found.doubt === undefined) return { kind: 'payment', payment: found.payment };
      const paymentId = found.kind === 'payment' ? found.paymentId : id;
      await works.wait(paymentId);
      const { ended: own, doubt } = concluded;
      const payment = own ?? (await (found.kind === 'payment' ? lookForEnding(paymentId) : store.payment(paymentId)));
      if (payment === undefined) throw new Fault('gateway.state', { why: `payment ${paymentId} is gone` });
      return { kind: 'payment', payment, doubt };
    },
    look,
    withdraw: withdrawing(options, finding),
    async recover() {
      // If the store is not shared, every unfinished payment is an earlier process's.
      const before = store.shared ? clock.now() - leaseMs : Number.MAX_SAFE_INTEGER;
      for (const payment of await store.unfinished(before)) await inquire(payment).catch(report);
      if (store.shared) rounds.begin();
    },
    async quiet() {
      rounds.end();
      await works.quiet();
    },
  };
};

/**
 * Another process may crash at any time: its payments are ended here once their lease is over, even without a query.
 */
const sweeping = (
  { store, clock, report }: ProcessingOptions,
  works: PaymentsInProgress,
  of: ReturnType<typeof endings>,
) => {
  let isOver = false;
  let stop = () => {};
  const sweep = async (): Promise<void> => {
    for (const payment of await store.unfinished(clock.now() - of.leaseMs)) {
      if (isOver) return;
      // A payment with the shopper is queried by pendingDeadlines.
      if (payment.facts.answer === undefined && !works.has(payment.id)) await of.inquire(payment).catch(report);
    }
  };
  const begin = (): void => {
    if (!isOver) stop = clock.after(of.leaseMs, () => works.start('sweep', sweep().finally(begin)));
  };
  const end = (): void => {
    isOver = true;
    stop();
  };
  return { begin, end };
};

/** How payments reach their endings, and how missing endings are found. */
const endings = (options: ProcessingOptions, works: PaymentsInProgress) => {
  const { store, acquirer, clock, patienceMs, report } = options;
  /** A payment this young may be in progress in another process. Asking too early would only end it as unsent. */
  const leaseMs = store.shared ? 2 * patienceMs : 0;

  /** The acquirer's answer is the ending, even if it is uncertain: there is nobody else to ask. */
  const inquire = async (payment: Payment): Promise<void> => {
    const answer = await acquirer.inquire(payment.id, payment.at);
    if (answer === undefined || meaningOf(answer.resultCode) !== 'pending') {
      await store.finish(payment.id, endingOf(payment, answer));
    } else if (payment.facts.answer === undefined) {
      // The first answer was lost, and the shopper's redirect with it.
      await store.note(payment.id, factsAfter(payment.facts, answer));
    }
  };

  /** Whether another process may be handling it, and will end it. */
  const isInHand = ({ at, facts }: Payment): boolean =>
    facts.answer === undefined && facts.inDoubt === undefined && clock.now() < at + leaseMs;

  const look = async (id: string): Promise<Payment | undefined> => {
    const payment = await store.payment(id);
    if (payment?.state !== 'processing' || works.has(id)) return payment;
    if (isInHand(payment)) return payment;
    await inquire(payment).catch(report);
    return store.payment(id);
  };

  /** The payment of an earlier equal request, when it has ended or the patience has run out. */
  const lookForEnding = async (id: string): Promise<Payment | undefined> => {
    const until = clock.monotonic() + (store.shared ? patienceMs : 0);
    for (;;) {
      const payment = await look(id);
      if (payment?.state !== 'processing' || !isInHand(payment)) return payment;
      if (clock.monotonic() >= until) return payment;
      await pause(clock, ELSEWHERE_MS);
    }
  };

  /** The payment when its processing has ended, here or in another process, or the patience has run out. */
  const waitForEnding = async (id: string): Promise<Payment | undefined> => {
    await works.wait(id).catch(report);
    return lookForEnding(id);
  };

  const conclude = concluding(options, inquire, waitForEnding);
  return { leaseMs, conclude, inquire, look, lookForEnding, waitForEnding };
};

/** Withdraws a payment from its shopper. The acquirer's answer is the ending: the shopper may have paid meanwhile. */
const withdrawing =
  ({ store, acquirer, report }: ProcessingOptions, { waitForEnding }: ReturnType<typeof endings>) =>
  async (id: string): Promise<Payment | undefined> => {
    const payment = await waitForEnding(id);
    if (payment?.state !== 'processing' || payment.facts.answer === undefined) return payment;
    const answer = await acquirer.withdraw?.(id, payment.at).catch(report);
    if (answer === undefined || meaningOf(answer.resultCode) === 'pending') return payment;
    await store.finish(id, endingOf(payment, answer));
    return store.payment(id);
  };

/** How a payment is ended by the process that started it. */
const concluding = (
  { store, report }: ProcessingOptions,
  inquire: (payment: Payment) => Promise<void>,
  waitForEnding: (id: string) => Promise<unknown>,
) => {
  /** Tells other processes that they need not wait for this one. */
  const letGo = async ({ id, facts }: Payment): Promise<void> => {
    if (store.shared) await store.note(id, { ...facts, inDoubt: true }).catch(report);
  };

  /** Resolves with the payment if this call ended it, or with the acquirer's code if that is no ending. */
  const conclude = async ({ payment, ask, after = [] }: PaymentOpening): Promise<Conclusion> => {
    if (payment.state === 'done' || ask === undefined) return {};
    await Promise.all(after.map(waitForEnding));
    let answer: AcquirerAnswer;
    try {
      answer = await ask();
    } catch (error) {
      report(error);
      await inquire(payment).catch(async (silent: unknown) => {
        await letGo(payment);
        throw silent;
      });
      return {};
    }
    const means = meaningOf(answer.resultCode);
    if (means === 'pending') await store.note(payment.id, factsAfter(payment.facts, answer));
    if (means === 'unknown') await letGo(payment);
    // No answer arrived, or the shopper is to decide. The payment stays open; a query asks the acquirer again.
    if (means === 'unknown' || means === 'pending') return { doubt: codeOf(answer.resultCode, payment.facts) };
    const ending = endingOf(payment, answer);
    return (await store.finish(payment.id, ending)) ? { ended: ended(payment, ending) } : {};
  };
  return conclude;
};

type Conclusion = { ended?: Payment; doubt?: string };

type Begun =
  | EarlierOutcome
  | { kind: 'nothing' }
  | { kind: 'opening'; opening: PaymentOpening }
  /** Asked within the transaction, and written with the result. */
  | { kind: 'concluded'; payment: Payment; doubt?: string };

const begin = async (session: Session, { claims, open }: Task, keys: readonly string[]): Promise<Begun> => {
  const claimed = keys.length === 0 ? undefined : await session.claimed(keys);
  if (claimed !== undefined) return earlierOf(claimed, claims);
  const opening = await open(session);
  if (opening === undefined) return { kind: 'nothing' };
  const { payment, askWithin } = opening;
  const answer = await askWithin?.(session.documents);
  if (answer === undefined) {
    await session.add(payment, opening.isOnlyForNow === true ? [] : claims);
    return { kind: 'opening', opening };
  }
  const means = meaningOf(answer.resultCode);
  if (means === 'unknown' || means === 'pending') {
    // No process handles it any more: any query may ask the acquirer.
    const facts =
      means === 'pending' ? factsAfter(payment.facts, answer) : { ...payment.facts, inDoubt: true as const };
    const waiting = { ...payment, facts };
    await session.add(waiting, claims);
    return { kind: 'concluded', payment: waiting, doubt: codeOf(answer.resultCode, payment.facts) };
  }
  const ending = endingOf(payment, answer);
  const end = ended(payment, ending);
  await session.add(end, claims);
  if (ending.registration !== undefined) await session.addRegistration(ending.registration);
  return { kind: 'concluded', payment: end };
};
