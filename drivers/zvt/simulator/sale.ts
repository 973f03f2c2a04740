/** How the simulated ZVT terminal carries out a command: it shows, decides, reports and prints, in this order. */
import { type Clock, dateTime, pause } from '../../../src/base/clock.ts';
import { toHex } from '../../../src/base/hex.ts';
import type { Random } from '../../../src/base/ids.ts';
import { amount } from '../../codec.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { readCard, refusalOf, verificationOf } from '../../simulation/pretend-issuer.ts';
import { type Cardholder, type Presentation, pace } from '../../simulation/simulator.ts';
import { type TerminalConfig, USUAL_HOST_MS } from '../../simulation/terminal-config.ts';
import type { Verification } from '../../terminal.ts';
import type { PaymentTerms, ZvtAmount } from '../protocol/commands.ts';
import { setOf, type ZvtDialectPredicate } from '../protocol/dialects.ts';
import { bmp, codePage, decodeBmps } from '../protocol/fields.ts';
import { abortedApdu, completionApdu, lineApdus, resultApdu, statusApdu, textBlockApdu } from '../protocol/messages.ts';
import type { Lead, RegisterReply } from './lead.ts';
import { keep, type Memory, markAborted, nextNumbers, type StoredTransaction } from './memory.ts';
import { type Register, takesCurrency } from './register.ts';
import { codeOf, dayOf, receiptOf, resultOfStored, verificationCode } from './results.ts';

export type SaleTools = {
  clock: Clock;
  random: Random;
  cardholder: Cardholder;
  config: TerminalConfig;
  memory: Memory;
  /** The kinds of messages that the register wants to receive. */
  register: Register;
  isDialect: ZvtDialectPredicate;
  /** How much later than usual an aborted command ends. */
  lateMs(): number;
  report(line: string): void;
};

/** The terminal's own clock, which may be wrong. */
export const nowOf = ({ clock, config }: SaleTools): number => clock.now() + config.clockOffsetMs;

/** How long to wait for a customer, to type, and for the issuer. */
const waitsMs = 60_000;
const pinMs = 1_000;
const hostMs = USUAL_HOST_MS;

type SaleRequest = { kind: 'payment' | 'refund' } & ZvtAmount & PaymentTerms;

/** Sends a status to a register that wants statuses; others are skipped. */
const show = (lead: Lead, { register }: SaleTools, code: string): Promise<RegisterReply> =>
  register.statuses ? lead.tell(statusApdu(code)) : Promise.resolve(lead.isGone() ? 'gone' : 'taken');

/** A payment or a refund, from the empty reader to its receipts. */
export const sell = async (lead: Lead, input: SaleTools, request: SaleRequest): Promise<void> => {
  const { memory, random, cardholder } = input;
  // The command itself can also ask for containers.
  const tools = request.containers === true ? { ...input, register: { ...input.register, containers: true } } : input;
  if (!takesCurrency(request.currency)) return fail(lead, '6F');
  if (isNewDate(tools)) await endDayFirst(lead, tools);
  if ((await show(lead, tools, '0A')) === 'gone') return;
  const presentation = cardholder();
  await lead.pause(presentation.never ? waitsMs : (presentation.afterMs ?? pace.comesAfterMs));
  if (presentation.never || presentation.cancels || lead.isAborted()) return stop(lead, tools);
  tools.report(`${presentation.by}: ${presentation.card.label}`);
  const read = readCard(presentation);
  if ('why' in read) return fail(lead, codeOf[read.why]);
  if (presentation.by === 'chip') await show(lead, tools, '68');
  await show(lead, tools, '0E');
  const verification = verificationOf(presentation, read.entryMode);
  if (!(await enterPin(lead, tools, { presentation, verification }))) return stop(lead, tools);
  await show(lead, tools, '04');
  // A slow host's issuer already has the question: nothing can take it back.
  lead.decided = tools.config.hostMs > USUAL_HOST_MS;
  await lead.pause(tools.config.hostMs);
  if (lead.isAborted()) return stop(lead, tools);
  // If the till is lost before the issuer is asked, there is no payment; later the payment is the terminal's last one.
  if (lead.isGone() && !lead.decided) return;
  lead.decided = true;
  const at = nowOf(tools);
  const { kind, amountMinor, currency: unit, namesCurrency = false } = request;
  const refusal = refusalOf({
    presentation,
    verification,
    amountMinor: kind === 'refund' ? 0n : amountMinor,
    at,
    spent: memory.spent,
  });
  const code = refusal === undefined ? '00' : codeOf[refusal];
  const authorisation = (Number.parseInt(toHex(random(3)), 16) % 1_000_000).toString().padStart(6, '0');
  const { card } = presentation;
  const { entryMode } = read;
  const transaction: StoredTransaction = {
    kind,
    amountMinor,
    currency: unit,
    namesCurrency,
    ...nextNumbers(memory),
    code,
    card,
    entryMode,
    verification: verificationCode[verification],
    authorisation,
    at,
    reversed: false,
  };
  keep(memory, transaction);
  tools.report(`the simulated issuer says ${code}`);
  await finish(lead, tools, { stored: transaction, putsOffMost: request.putsOffMost });
};

type PinEntry = { presentation: Presentation; verification: Verification };

const enterPin = async (
  lead: Lead,
  tools: SaleTools,
  { presentation: { pin }, verification }: PinEntry,
): Promise<boolean> => {
  if (verification !== 'onlinePin' && verification !== 'offlinePin') return true;
  await show(lead, tools, '01');
  await lead.pause(pinMs);
  if (tools.isDialect('result-again') && verification === 'onlinePin' && !lead.isAborted())
    await retypePin(lead, tools);
  return pin !== 'cancel' && !lead.isAborted();
};

/** The first PIN was wrong: that is reported in a result, and the PIN is asked for again. */
const retypePin = async (lead: Lead, tools: SaleTools): Promise<void> => {
  await lead.tell(resultApdu([{ number: '27', value: Uint8Array.of(Number.parseInt(codeOf.wrongPin, 16)) }], []));
  await show(lead, tools, '15');
  await lead.pause(pinMs);
};

/** Ended by time-out, key or till. */
const stop = async (lead: Lead, tools: SaleTools): Promise<void> => {
  lead.decided = true;
  if (tools.lateMs() > 0) await lead.pause(tools.lateMs());
  await fail(lead, codeOf.stopped);
};

/** Ended before the issuer was asked. */
const fail = async (lead: Lead, code: string): Promise<void> => {
  const result = resultApdu([{ number: '27', value: Uint8Array.of(Number.parseInt(code, 16)) }], []);
  await lead.tellAll([result, abortedApdu(code)]);
};

type FinishParts = { stored: StoredTransaction; putsOffMost: number | undefined };

const finish = async (lead: Lead, tools: SaleTools, finishing: FinishParts): Promise<void> => {
  const { stored } = finishing;
  const isPrintedFirst = tools.isDialect('prints-first');
  if (isPrintedFirst && !(await lead.tellAll(printReceipt(tools, stored)))) return reverseUnacknowledged(tools, stored);
  const reply = await tellResult(lead, tools, finishing);
  if (reply === 'gone') return reverseUnacknowledged(tools, stored);
  if (stored.code === '00' && (reply === 'goodsNotIssued' || reply === 'putOff')) takeBack(tools, stored);
  if (reply === 'putOff') return fail(lead, codeOf.stopped);
  if (typeof reply === 'object') noteIssuedPart(tools, stored, reply.issued);
  if (stored.entryMode === 'ICC') await show(lead, tools, '0B');
  if (!isPrintedFirst && !(await lead.tellAll(printReceipt(tools, stored))))
    return reverseUnacknowledged(tools, stored);
  await lead.tell(
    stored.code === '00' && !stored.reversed
      ? completionApdu()
      : abortedApdu(stored.code === '00' ? '6C' : stored.code),
  );
  if (!lead.isGone()) tools.memory.acknowledged = stored;
};

/** The host reverses it, and the terminal is busy with that. Source: PA00P015 13.08, 2.2.8. */
const reverseUnacknowledged = async (
  { clock, memory, isDialect }: SaleTools,
  transaction: StoredTransaction,
): Promise<void> => {
  if (!isDialect('unheard-reversed') || transaction.code !== '00' || transaction.reversed) return;
  await pause(clock, hostMs);
  markAborted(memory, transaction);
};

const putOffMs = 2_000;

/** Sent again every two seconds while the register postpones it, as often as it announced. */
const tellResult = async (
  lead: Lead,
  tools: SaleTools,
  { stored, putsOffMost = Infinity }: FinishParts,
): Promise<RegisterReply> => {
  for (let putOff = 0; ; putOff += 1) {
    const reply = await lead.tell(resultOfStored(stored, tools.config, tools.register.containers));
    if (reply !== 'putOff' || putOff >= putsOffMost) return reply;
    await lead.pause(putOffMs);
  }
};

/** Records that only a part of the goods was issued: the customer pays that part. */
const noteIssuedPart = ({ memory, report }: SaleTools, transaction: StoredTransaction, data: Uint8Array): void => {
  const issued = bmp(decodeBmps(data), '04');
  if (transaction.code !== '00' || issued === undefined) return;
  const minor = amount.decode(issued);
  if (minor >= transaction.amountMinor) return;
  const { pan } = transaction.card;
  memory.spent.set(pan, (memory.spent.get(pan) ?? 0n) - (transaction.amountMinor - minor));
  transaction.amountMinor = minor;
  report(`only a part was issued: ${minor} instead of the whole amount`);
};

/** A text with letters that have a different code in each character set. */
const GREETING = 'Schöne Grüße, Österreich';

/** The terminal itself prints what the register does not. */
export const printReceipt = ({ register, config, isDialect }: SaleTools, transaction: StoredTransaction): ZvtApdu[] =>
  (['merchant', 'customer'] as const).flatMap((whose) => {
    if (!register.prints.payments) return [];
    const lines = [...receiptOf(transaction, whose, config), ...(setOf(isDialect) === codePage ? [] : [GREETING])];
    return register.textBlocks ? [textBlockApdu(whose, lines)] : lineApdus(lines);
  });

const takeBack = ({ memory, isDialect }: SaleTools, transaction: StoredTransaction): StoredTransaction => {
  transaction.reversed = true;
  const { trace: original } = transaction;
  const numbers = nextNumbers(memory);
  const receipt = isDialect('reversal-same-number') ? transaction.receipt : numbers.receipt;
  const reversal: StoredTransaction = {
    ...transaction,
    ...numbers,
    receipt,
    kind: 'reversal',
    original,
    reversed: true,
  };
  keep(memory, reversal);
  return reversal;
};

/** Reverses the last payment of this day with this receipt number, if it has the named amount. */
export const reverse = async (
  lead: Lead,
  tools: SaleTools,
  { receipt, amountMinor, currency }: { receipt: string; amountMinor?: bigint; currency?: string },
): Promise<void> => {
  const { memory } = tools;
  const found = memory.day.findLast(
    (transaction) => transaction.receipt === receipt && transaction.kind !== 'reversal',
  );
  if (found === undefined) return fail(lead, 'B5');
  if (amountMinor !== undefined && (found.amountMinor !== amountMinor || found.currency !== currency))
    return fail(lead, 'B7');
  if (found.reversed) return fail(lead, 'B4');
  await show(lead, tools, '04');
  await lead.pause(hostMs);
  if (lead.isAborted()) return stop(lead, tools);
  if (lead.isGone()) return;
  lead.decided = true;
  const reversal = takeBack(tools, found);
  reversal.at = nowOf(tools);
  // The reversal is over: no card is in the slot, so the customer is not asked to remove one.
  const result = resultOfStored(reversal, tools.config, tools.register.containers);
  if (await lead.tellAll([result, ...printReceipt(tools, reversal), completionApdu()])) memory.acknowledged = reversal;
};

export const administration = ({ register }: SaleTools, lines: readonly string[]): ZvtApdu[] => {
  if (!register.prints.administration) return [];
  return register.textBlocks ? [textBlockApdu('administration', lines)] : lineApdus(lines);
};

/** The day's total; once closed, its payments can no longer be reversed. */
export const closeDay = async (lead: Lead, tools: SaleTools, { closes }: { closes: boolean }): Promise<void> => {
  const { memory } = tools;
  await show(lead, tools, '0E');
  await lead.pause(hostMs);
  if (lead.isGone()) return;
  lead.decided = true;
  const { result, lines } = closeOrReadDay(tools, { closes });
  if (closes) memory.closing = { result, lines };
  await lead.tellAll([result, ...administration(tools, lines), completionApdu()]);
};

/** The day's total; if it is closed, a new day begins. */
const closeOrReadDay = (tools: SaleTools, { closes }: { closes: boolean }): { result: ZvtApdu; lines: string[] } => {
  const { memory, config, isDialect } = tools;
  const trace = closes ? nextNumbers(memory).trace : memory.numbers.trace.toString().padStart(6, '0');
  const title = closes ? 'END OF DAY' : 'TOTALS SO FAR';
  const day = dayOf(memory.day, { config, at: nowOf(tools), trace, title, isSumOnly: isDialect('totals-sum') });
  if (closes) memory.day.length = 0;
  return day;
};

const dateOf = (at: number): string => dateTime(at).slice(0, 10);

const isNewDate = (tools: SaleTools): boolean => {
  const [first] = tools.memory.day;
  return tools.isDialect('day-by-itself') && first !== undefined && dateOf(first.at) !== dateOf(nowOf(tools));
};

/** The terminal's own end of day within a payment command: a receipt, but no result. */
const endDayFirst = async (lead: Lead, tools: SaleTools): Promise<void> => {
  await show(lead, tools, '0F');
  await lead.pause(hostMs);
  if (lead.isGone()) return;
  await lead.tellAll(administration(tools, closeOrReadDay(tools, { closes: true }).lines));
};
