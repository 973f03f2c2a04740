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
import { applyEnding, codeOf, endingOf, factsAfter } from './ending.ts';
import { type PaymentsInProgress, trackPayments } from './payments-in-progress.ts';
import { type EarlierOutcome, earlierOutcomeOf } from './repeats.ts';
import type { Answer } from './response.ts';

export type Task = {
  id: string;
  claims: readonly KeyedRequest[];
  /** Locked against other transactions, besides its claims: the chain that it refers to. */
  names: readonly string[];
  /** Reads what it needs and returns what to write. Undefined: nothing, the request names no payment. */
  open: (session: Session) => Promise<PaymentOpening | undefined>;
};

export type PaymentOpening = {
  payment: Payment;
  askAcquirer?: () => Promise<AcquirerAnswer>;
  /** Payments without an ending that the acquirer must process before it is asked for this one. */
  waitsFor?: readonly string[];
  /** Refused for a temporary reason: its claims are not taken, so that an equal request later is a new one. */
  isOnlyForNow?: boolean;
  /** Asks inside the gateway's own transaction, if the acquirer can; no `processing` row is needed then. */
  askInTransaction?: (documents: HeldDocuments) => Promise<AcquirerAnswer> | undefined;
};

export type OpenedPayment =
  /**
   * A new one, or the payment that an equal request started. `doubt` is the acquirer's uncertain or pending code, if
   * there is no ending yet.
   */
  | { kind: 'payment'; payment: Payment; uncertainCode?: string }
  /** An equal request was answered before, without a payment. */
  | { kind: 'answer'; answer: Answer }
  /** The key was used before, with another body. */
  | { kind: 'differs'; paymentId?: string }
  | { kind: 'nothing' };

export type Processing = {
  carryOut(task: Task): Promise<OpenedPayment>;
  /** The payment's current state, after another attempt to end it if it has no ending. */
  lookUp(id: string): Promise<Payment | undefined>;
  /**
   * The payment with its ending: waits for it, and withdraws the payment from a shopper who has not decided. Still
   * processing only if its acquirer cannot withdraw it, or does not answer.
   */
  withdraw(id: string): Promise<Payment | undefined>;
  /** Ends payments that an earlier process left without an ending. */
  recover(): Promise<void>;
  /** Resolves when nothing is in progress. */
  whenIdle(): Promise<void>;
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

export const createProcessing = (options: ProcessingOptions): Processing => {
  const { store, clock, report } = options;
  const inProgress = trackPayments(options);
  const endingFinder = createEndingFinder(options, inProgress);
  const { leaseMs, conclude, inquire, lookUp, lookUpEnding } = endingFinder;
  const rounds = createSweep(options, inProgress, endingFinder);
  return {
    async carryOut(task) {
      const { id, claims, names } = task;
      let conclusion: Conclusion = {};
      const keys = claims.map(({ key }) => key);
      const work = (session: Session) => begin(session, task, keys);
      const beginning = store.transact([...keys, ...names], work);
      // Registered before the first await: an equal request that finds the claim also finds the work.
      inProgress.start(
        id,
        beginning.then(async (found) => {
          if (found.kind === 'opening') conclusion = await conclude(found.opening);
          if (found.kind === 'concluded') conclusion = found;
        }),
      );
      const found = await beginning;
      if (found.kind === 'differs' || found.kind === 'nothing' || found.kind === 'answer') return found;
      if (found.kind === 'concluded' && found.uncertainCode === undefined)
        return { kind: 'payment', payment: found.payment };
      const paymentId = found.kind === 'payment' ? found.paymentId : id;
      await inProgress.wait(paymentId);
      const { ended: endedPayment, uncertainCode: doubt } = conclusion;
      const payment =
        endedPayment ?? (await (found.kind === 'payment' ? lookUpEnding(paymentId) : store.payment(paymentId)));
      if (payment === undefined) throw new Fault('gateway.state', { why: `payment ${paymentId} is gone` });
      return { kind: 'payment', payment, uncertainCode: doubt };
    },
    lookUp,
    withdraw: createWithdraw(options, endingFinder),
    async recover() {
      // If the store is not shared, every unfinished payment is an earlier process's.
      const startedBefore = store.shared ? clock.now() - leaseMs : Number.MAX_SAFE_INTEGER;
      for (const payment of await store.unfinished(startedBefore)) await inquire(payment).catch(report);
      if (store.shared) rounds.begin();
    },
    async whenIdle() {
      rounds.end();
      await inProgress.whenIdle();
    },
  };
};

/**
 * Another process may crash at any time: its payments are ended here once their lease is over, even without a query.
 */
const createSweep = (
  { store, clock, report }: ProcessingOptions,
  inProgress: PaymentsInProgress,
  of: ReturnType<typeof createEndingFinder>,
) => {
  let isOver = false;
  let stop = () => {};
  const sweep = async (): Promise<void> => {
    for (const payment of await store.unfinished(clock.now() - of.leaseMs)) {
      if (isOver) return;
      // A payment that waits for its shopper is queried by pendingDeadlines.
      if (payment.facts.answer === undefined && !inProgress.has(payment.id)) await of.inquire(payment).catch(report);
    }
  };
  const begin = (): void => {
    if (!isOver) stop = clock.after(of.leaseMs, () => inProgress.start('sweep', sweep().finally(begin)));
  };
  const end = (): void => {
    isOver = true;
    stop();
  };
  return { begin, end };
};

/** How payments reach their endings, and how missing endings are found. */
const createEndingFinder = (options: ProcessingOptions, inProgress: PaymentsInProgress) => {
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

  const lookUp = async (id: string): Promise<Payment | undefined> => {
    const payment = await store.payment(id);
    if (payment?.state !== 'processing' || inProgress.has(id)) return payment;
    if (isInHand(payment)) return payment;
    await inquire(payment).catch(report);
    return store.payment(id);
  };

  /** The payment of an earlier equal request, when it has ended or the patience has run out. */
  const lookUpEnding = async (id: string): Promise<Payment | undefined> => {
    const until = clock.monotonic() + (store.shared ? patienceMs : 0);
    for (;;) {
      const payment = await lookUp(id);
      if (payment?.state !== 'processing' || !isInHand(payment)) return payment;
      if (clock.monotonic() >= until) return payment;
      await pause(clock, ELSEWHERE_MS);
    }
  };

  /** The payment when its processing has ended, here or in another process, or the patience has run out. */
  const waitForEnding = async (id: string): Promise<Payment | undefined> => {
    await inProgress.wait(id).catch(report);
    return lookUpEnding(id);
  };

  const conclude = createConclude(options, inquire, waitForEnding);
  return { leaseMs, conclude, inquire, lookUp, lookUpEnding, waitForEnding };
};

/** Withdraws a payment from its shopper. The acquirer's answer is the ending: the shopper may have paid meanwhile. */
const createWithdraw =
  ({ store, acquirer, report }: ProcessingOptions, { waitForEnding }: ReturnType<typeof createEndingFinder>) =>
  async (id: string): Promise<Payment | undefined> => {
    const payment = await waitForEnding(id);
    if (payment?.state !== 'processing' || payment.facts.answer === undefined) return payment;
    const answer = await acquirer.withdraw?.(id, payment.at).catch(report);
    if (answer === undefined || meaningOf(answer.resultCode) === 'pending') return payment;
    await store.finish(id, endingOf(payment, answer));
    return store.payment(id);
  };

/** How a payment is ended by the process that started it. */
const createConclude = (
  { store, report }: ProcessingOptions,
  inquire: (payment: Payment) => Promise<void>,
  waitForEnding: (id: string) => Promise<unknown>,
) => {
  /** Tells other processes that they need not wait for this one. */
  const markInDoubt = async ({ id, facts }: Payment): Promise<void> => {
    if (store.shared) await store.note(id, { ...facts, inDoubt: true }).catch(report);
  };

  /** Resolves with the payment if this call ended it, or with the acquirer's code if that is no ending. */
  const conclude = async ({ payment, askAcquirer, waitsFor: after = [] }: PaymentOpening): Promise<Conclusion> => {
    if (payment.state === 'done' || askAcquirer === undefined) return {};
    await Promise.all(after.map(waitForEnding));
    let answer: AcquirerAnswer;
    try {
      answer = await askAcquirer();
    } catch (error) {
      report(error);
      await inquire(payment).catch(async (silence: unknown) => {
        await markInDoubt(payment);
        throw silence;
      });
      return {};
    }
    const meaning = meaningOf(answer.resultCode);
    if (meaning === 'pending') await store.note(payment.id, factsAfter(payment.facts, answer));
    if (meaning === 'unknown') await markInDoubt(payment);
    // No answer arrived, or the shopper is to decide. The payment stays open; a query asks the acquirer again.
    if (meaning === 'unknown' || meaning === 'pending')
      return { uncertainCode: codeOf(answer.resultCode, payment.facts) };
    const ending = endingOf(payment, answer);
    return (await store.finish(payment.id, ending)) ? { ended: applyEnding(payment, ending) } : {};
  };
  return conclude;
};

type Conclusion = { ended?: Payment; uncertainCode?: string };

type BeginResult =
  | EarlierOutcome
  | { kind: 'nothing' }
  | { kind: 'opening'; opening: PaymentOpening }
  /** Asked within the transaction, and written with the result. */
  | { kind: 'concluded'; payment: Payment; uncertainCode?: string };

const begin = async (session: Session, { claims, open }: Task, keys: readonly string[]): Promise<BeginResult> => {
  const claimed = keys.length === 0 ? undefined : await session.findClaimed(keys);
  if (claimed !== undefined) return earlierOutcomeOf(claimed, claims);
  const opening = await open(session);
  if (opening === undefined) return { kind: 'nothing' };
  const { payment, askInTransaction } = opening;
  const answer = await askInTransaction?.(session.documents);
  if (answer === undefined) {
    await session.add(payment, opening.isOnlyForNow === true ? [] : claims);
    return { kind: 'opening', opening };
  }
  const meaning = meaningOf(answer.resultCode);
  if (meaning === 'unknown' || meaning === 'pending') {
    // No process handles it any more: any query may ask the acquirer.
    const facts =
      meaning === 'pending' ? factsAfter(payment.facts, answer) : { ...payment.facts, inDoubt: true as const };
    const pendingPayment = { ...payment, facts };
    await session.add(pendingPayment, claims);
    return { kind: 'concluded', payment: pendingPayment, uncertainCode: codeOf(answer.resultCode, payment.facts) };
  }
  const ending = endingOf(payment, answer);
  const end = applyEnding(payment, ending);
  await session.add(end, claims);
  if (ending.registration !== undefined) await session.addRegistration(ending.registration);
  return { kind: 'concluded', payment: end };
};
