/** How a sale ended, for display: as text, and as facts in JSON. */
import type { SaleFacts } from '../api/contract/sales.ts';
import { type FaultCode, faults } from '../base/faults.ts';
import { type Fact, gatewayFact, type LocalizedMessage } from '../base/localized-message.ts';
import type { DisplayMode } from '../base/mode.ts';
import { printAmount, printMoney, subtract } from '../base/money.ts';
import { formsOfText } from '../base/placeholders.ts';
import { type DeclineGroup, declineGroupOf } from '../base/result-codes.ts';
import { notCharged, type Reason, type ReasonRow, reasons, reasonWords } from '../locales/messages/en/reasons.ts';
import { type OutcomeCode, tellDecline, tellOutcome } from '../locales/messages/en/sales.ts';
import type { HostAnswer, Operation } from '../till/machine/facts.ts';
import { followsPayment } from '../till/machine/operations.ts';
import type { EndedSale } from '../till/machine/sale.ts';
import type { TerminalPaymentFacts } from '../till/machine/terminal-facts.ts';

export type { EndedSale as Ended, Ending, Sale } from '../till/machine/sale.ts';
export type { Progress } from '../till/running.ts';

/** The words for an ending as things are now: a reversal may have succeeded, an offline sale may have been answered. */
export const outcomeTexts = (sale: EndedSale, mode: DisplayMode): ReasonRow & { again: boolean } => {
  const { says, money, next, again } = localizedEndingIn(mode, sale);
  const isCommand = sale.differs !== undefined;
  return {
    says: says.says,
    money: money.says,
    again,
    next: isCommand ? `${next.says}: npm run till -- resolve ${sale.intent.receipt}` : next.says,
    ...paperOf(sale),
  };
};

/** The same for screens, each part as a localized message. */
export type LocalizedEnding = {
  says: LocalizedMessage;
  money: LocalizedMessage;
  next: LocalizedMessage;
  again: boolean;
};

export const localizedEnding = (sale: EndedSale): LocalizedEnding => withForcedFacts(sale, plainEndingOf(sale));

/** As `localizedEnding`, but says that a test or training till charged nobody. */
export const localizedEndingIn = (mode: DisplayMode, sale: EndedSale): LocalizedEnding => {
  const reported = localizedEnding(sale);
  if (mode === 'live' || sale.ending !== 'approved') return reported;
  return { ...reported, money: tellOutcome(mode === 'training' ? 'noneInTraining' : 'noneInTest') };
};

/** What the customer's receipt says instead, as long as the reason's own words are shown. */
const paperOf = ({ reason }: EndedSale): Pick<ReasonRow, 'paper'> => {
  const { paper } = reasonWords(reason);
  return paper === undefined ? {} : { paper };
};

const plainEndingOf = (sale: EndedSale): LocalizedEnding => {
  const { reason, reversal, forwarded, ending, intent } = sale;
  const words = translatedOutcome(intent.operation, withDeclineGroup(sale, reasonMessages(sale, reason)));
  if (reversal === 'done' && sale.differs === undefined)
    return { ...words, money: tellOutcome('gaveBack', { money: notDoneMessage(intent.operation) }) };
  if (ending === 'approved' && sale.answer?.approved !== undefined) return withPartialAmount(sale, words);
  if ((reason === 'approvedOffline' || reason === 'takenOffline') && forwarded?.approved === true)
    return reasonMessages(sale, 'approved');
  if (ending === 'approved' && isSigned(sale)) return { ...words, next: tellOutcome('sign') };
  return words;
};

export type Decline = {
  group: DeclineGroup;
  /** The result code of the gateway or of the terminal. */
  code?: string;
  /** The meaning of the code, in English; not shown at the counter. */
  means?: string;
};

/** For a sale that the bank declined, through the gateway or at the terminal. */
export const declineOf = ({ reason, answer, code: own, why }: EndedSale): Decline | undefined => {
  if (!declines.includes(reason)) return undefined;
  const code = own ?? answer?.code;
  const means = gatewayFact(why ?? '');
  return { group: declineGroupOf(code), code, means: means || undefined };
};

const declines: readonly Reason[] = ['declinedByHost', 'declinedAtTerminal', 'declinedOnForwarding', 'storedRefused'];

/** The counter is told only the group of a decline. A later decline is for the manager, whatever its group. */
const withDeclineGroup = (sale: EndedSale, words: LocalizedEnding): LocalizedEnding => {
  if (sale.reason !== 'declinedByHost' && sale.reason !== 'declinedAtTerminal') return words;
  const group = declineOf(sale)?.group ?? 'otherCard';
  return { ...words, says: tellDecline(group), next: tellDecline(`${group}Next`) };
};

/** `reason.declinedByHost.says` and so on: a screen has a row for each reason. */
const reasonMessages = (sale: EndedSale, reason: Reason): LocalizedEnding => {
  const row = reasonWords(reason, sale.why);
  const part = (name: 'says' | 'money' | 'next'): LocalizedMessage => ({
    code: `reason.${reason}.${name}`,
    says: row[name],
  });
  return {
    says: { ...part('says'), ...(sale.why !== undefined && { facts: { why: whyOf(sale) } }) },
    money: part('money'),
    next: part('next'),
    again: row.again ?? false,
  };
};

/** The reason for not going offline has a code, because days are counted differently in each language. */
const whyOf = ({ why = '', refusal, reason }: EndedSale): Fact => {
  if (refusal !== undefined) return { code: `offline.${refusal}`, says: why };
  if (reason === 'terminalFailed') return faultMessageOf(why) ?? why;
  const days = reason === 'cardDataExpired' ? /^\d+/.exec(why) : null;
  return days === null ? gatewayFact(why) : { code: 'outcome.days', says: why, facts: { count: Number(days[0]) } };
};

/** A person's decision stays marked as one. A later answer that contradicts it is always shown. */
const withForcedFacts = ({ forced, differs }: EndedSale, words: LocalizedEnding): LocalizedEnding => {
  const marked = forced === undefined ? words : { ...words, says: tellOutcome('forced', forcedFacts(words, forced)) };
  if (differs === undefined) return marked;
  const money = tellOutcome('but', { money: words.money, differs });
  return { ...marked, money, next: tellOutcome('managerLooks'), again: false };
};

const forcedFacts = ({ says }: LocalizedEnding, { who, role }: NonNullable<EndedSale['forced']>) => ({
  says,
  who:
    who === undefined
      ? tellOutcome('somebody')
      : tellOutcome('forcedByRole', { who, role: role ?? tellOutcome('noRole') }),
});

export const isSigned = ({ card, chip, terminal }: EndedSale): boolean =>
  (chip?.verification ?? card?.verification) === 'signature' || terminal?.payment?.verification === 'signature';

/** What it means for the money that the operation was not carried out. */
const notDoneMessage = (operation: Operation): LocalizedMessage => tellOutcome(notDoneCodes[operation]);

const notDoneCodes = {
  sale: 'notSale',
  preauthorisation: 'notPreauthorisation',
  credit: 'notCredit',
  refund: 'notRefund',
  void: 'notVoid',
  increment: 'notIncrement',
  completion: 'notCompletion',
  release: 'notRelease',
} as const satisfies Readonly<Record<Operation, OutcomeCode>>;

/** The words for the reasons are written for a sale, so other operations get their own. */
const translatedOutcome = (operation: Operation, words: LocalizedEnding): LocalizedEnding => {
  if (words.money.says === notCharged) return { ...words, money: notDoneMessage(operation) };
  const isAsked = followsPayment({ operation }) && words.money.says === reasons.unanswered.money;
  return isAsked ? { ...words, money: tellOutcome('askedAgain') } : words;
};

/** Says after a partial approval what was charged, and that the rest is unpaid. */
const withPartialAmount = ({ intent, answer }: EndedSale, words: LocalizedEnding): LocalizedEnding => {
  const { amount, operation } = intent;
  const part = answer?.approved ?? amount;
  const approved = printMoney(part);
  const left = printMoney(subtract(amount, part));
  return {
    ...words,
    says: tellOutcome('part', { approved, amount: printMoney(amount) }),
    money: tellOutcome(operation === 'preauthorisation' ? 'partHeld' : 'partCharged', { approved, left }),
    next: tellOutcome('partNext'),
  };
};

/** All that a script needs from a finished sale. Names are those of the host API where it has one. */
export const outcomeJson = (sale: EndedSale, mode: DisplayMode): SaleFacts => {
  const { intent, card, answer, chip, terminal, ending, reason, offline, reversal, forwarded } = sale;
  const words = outcomeTexts(sale, mode);
  const decline = declineOf(sale);
  return {
    ending,
    reason,
    says: words.says,
    money: words.money,
    next: words.next,
    again: words.again,
    operation: intent.operation,
    receipt: intent.receipt,
    merchantTransactionId: intent.sale,
    amount: printAmount(intent.amount),
    currency: intent.amount.currency,
    approvedAmount: answer?.approved && printAmount(answer.approved),
    tip: intent.tip && printAmount(intent.tip),
    cashier: intent.cashier,
    bill: intent.bill && { id: intent.bill.id, total: printAmount(intent.bill.total) },
    'pos.terminalId': intent.terminalId,
    'pos.transactionSequenceNumber': intent.sequence,
    followsReceipt: intent.follows?.receipt,
    refundsReceipt: intent.operation === 'refund' ? intent.follows?.receipt : undefined,
    card: card && { ...card, ...chip },
    giftCard: intent.giftCard,
    answer: answer && answerJson(answer),
    authorisedBy: intent.by === 'terminal' ? 'terminal' : undefined,
    learned: intent.learned && true,
    terminal: terminal && { device: terminal.device, ...paymentJson(terminal.payment) },
    forPerson: sale.forPerson,
    forced: sale.forced,
    differs: sale.differs,
    decline,
    ...(offline && { offline, forwarded: forwarded?.approved ?? 'waiting' }),
    reversal,
  };
};

/** Amounts in the host API's format. */
const answerJson = ({ approved, balance, ...texts }: HostAnswer): Record<string, unknown> => ({
  ...texts,
  approved: approved && printAmount(approved),
  ...(balance && { balance: printAmount(balance), balanceCurrency: balance.currency }),
});

const paymentJson = (payment: TerminalPaymentFacts | undefined): Record<string, unknown> => {
  if (payment === undefined) return {};
  const { amount, ...told } = payment;
  return { amount: printAmount(amount), currency: amount.currency, ...told };
};

// Finds the fault behind a text: the journal has terminal faults in English, and this makes them translatable.

type Shape = { code: FaultCode; shape: RegExp; names: readonly string[] };

const BLANK = /\{(\w+)\}/g;

const shapeOf = (code: FaultCode, text: string): Shape => {
  const fixed = text.split(BLANK).filter((_, i) => i % 2 === 0);
  const source = fixed.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.+?)');
  return { code, shape: new RegExp(`^${source}$`), names: [...text.matchAll(BLANK)].map(([, name = '']) => name) };
};

/** The faults of the connection to a terminal and of the terminal itself. */
const shapes = (Object.keys(faults) as FaultCode[])
  .filter((code) => /^(link|terminal)\./.test(code) && code !== 'terminal.warned')
  .flatMap((code) => formsOfText(faults[code].says).map((text) => shapeOf(code, text)));

/** Undefined for a text that comes from no such fault. */
export const faultMessageOf = (text: string): LocalizedMessage | undefined => {
  for (const { code, shape, names } of shapes) {
    const found = shape.exec(text);
    if (found === null) continue;
    const facts = Object.fromEntries(names.map((name, i) => [name, found[i + 1] ?? '']));
    return { code: `fault.${code}`, says: text, facts };
  }
  return undefined;
};
