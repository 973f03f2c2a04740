/** How the simulated ZVT terminal carries out a command: what it shows, decides, tells and prints, in that order. */
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
import { keep, type Memory, neverMade, nextNumbers, type StoredTransaction } from './memory.ts';
import { type Register, takesCurrency } from './register.ts';
import { codeOf, dayOf, receiptOf, resultOfKept, verificationCode } from './results.ts';

export type SaleTools = {
  clock: Clock;
  random: Random;
  cardholder: Cardholder;
  config: TerminalConfig;
  memory: Memory;
  /** What the register wants to hear. */
  register: Register;
  speaks: ZvtDialectPredicate;
  /** How much later than usual an aborted command ends. */
  lateMs(): number;
  report(line: string): void;
};

/** The terminal's own clock, which need not be right. */
export const nowOf = ({ clock, config }: SaleTools): number => clock.now() + config.clockOffsetMs;

/** How long nobody is waited for, and what typing and asking take. */
const waitsMs = 60_000;
const pinMs = 1_000;
const hostMs = USUAL_HOST_MS;

type SaleRequest = { kind: 'payment' | 'refund' } & ZvtAmount & PaymentTerms;

/** Shows it to a register that wants to see it; another one is not asked. */
const show = (lead: Lead, { register }: SaleTools, code: string): Promise<RegisterReply> =>
  register.statuses ? lead.tell(statusApdu(code)) : Promise.resolve(lead.isGone() ? 'gone' : 'taken');

/** A payment or a refund, from the empty reader to its receipts. */
export const sell = async (lead: Lead, given: SaleTools, asked: SaleRequest): Promise<void> => {
  const { memory, random, cardholder } = given;
  // Containers may also be asked for by the command itself.
  const tools = asked.containers === true ? { ...given, register: { ...given.register, containers: true } } : given;
  if (!takesCurrency(asked.currency)) return failed(lead, '6F');
  if (isNewDate(tools)) await endDayFirst(lead, tools);
  if ((await show(lead, tools, '0A')) === 'gone') return;
  const presentation = cardholder();
  await lead.pause(presentation.never ? waitsMs : (presentation.afterMs ?? pace.comesAfterMs));
  if (presentation.never || presentation.cancels || lead.isAborted()) return stopped(lead, tools);
  tools.report(`${presentation.by}: ${presentation.card.label}`);
  const read = readCard(presentation);
  if ('why' in read) return failed(lead, codeOf[read.why]);
  if (presentation.by === 'chip') await show(lead, tools, '68');
  await show(lead, tools, '0E');
  const verification = verificationOf(presentation, read.entryMode);
  if (!(await entersPin(lead, tools, { presentation, verification }))) return stopped(lead, tools);
  await show(lead, tools, '04');
  // The issuer of a slow host has the question already: nothing takes it back.
  lead.decided = tools.config.hostMs > USUAL_HOST_MS;
  await lead.pause(tools.config.hostMs);
  if (lead.isAborted()) return stopped(lead, tools);
  // A till that has gone before the issuer was asked gets no payment; one that goes later finds it as the last one.
  if (lead.isGone() && !lead.decided) return;
  lead.decided = true;
  const at = nowOf(tools);
  const { kind, amountMinor, currency: unit, namesCurrency = false } = asked;
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
  const kept: StoredTransaction = {
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
  keep(memory, kept);
  tools.report(`the simulated issuer says ${code}`);
  await finish(lead, tools, { kept, putsOffMost: asked.putsOffMost });
};

type PinEntry = { presentation: Presentation; verification: Verification };

const entersPin = async (
  lead: Lead,
  tools: SaleTools,
  { presentation: { pin }, verification }: PinEntry,
): Promise<boolean> => {
  if (verification !== 'onlinePin' && verification !== 'offlinePin') return true;
  await show(lead, tools, '01');
  await lead.pause(pinMs);
  if (tools.speaks('result-again') && verification === 'onlinePin' && !lead.isAborted()) await typesAgain(lead, tools);
  return pin !== 'cancel' && !lead.isAborted();
};

/** Typed wrong at first: told by a result, and asked for once more. */
const typesAgain = async (lead: Lead, tools: SaleTools): Promise<void> => {
  await lead.tell(resultApdu([{ number: '27', value: Uint8Array.of(Number.parseInt(codeOf.wrongPin, 16)) }], []));
  await show(lead, tools, '15');
  await lead.pause(pinMs);
};

/** Ended by time, key or till. */
const stopped = async (lead: Lead, tools: SaleTools): Promise<void> => {
  lead.decided = true;
  if (tools.lateMs() > 0) await lead.pause(tools.lateMs());
  await failed(lead, codeOf.stopped);
};

/** Ended before the issuer was asked. */
const failed = async (lead: Lead, code: string): Promise<void> => {
  const result = resultApdu([{ number: '27', value: Uint8Array.of(Number.parseInt(code, 16)) }], []);
  await lead.tellAll([result, abortedApdu(code)]);
};

type Finishing = { kept: StoredTransaction; putsOffMost: number | undefined };

const finish = async (lead: Lead, tools: SaleTools, finishing: Finishing): Promise<void> => {
  const { kept } = finishing;
  const isPrintedFirst = tools.speaks('prints-first');
  if (isPrintedFirst && !(await lead.tellAll(printed(tools, kept)))) return unheard(tools, kept);
  const heard = await tellResult(lead, tools, finishing);
  if (heard === 'gone') return unheard(tools, kept);
  if (kept.code === '00' && (heard === 'goodsNotIssued' || heard === 'putOff')) takeBack(tools, kept);
  if (heard === 'putOff') return failed(lead, codeOf.stopped);
  if (typeof heard === 'object') issuedInPart(tools, kept, heard.issued);
  if (kept.entryMode === 'ICC') await show(lead, tools, '0B');
  if (!isPrintedFirst && !(await lead.tellAll(printed(tools, kept)))) return unheard(tools, kept);
  await lead.tell(
    kept.code === '00' && !kept.reversed ? completionApdu() : abortedApdu(kept.code === '00' ? '6C' : kept.code),
  );
  if (!lead.isGone()) tools.memory.acknowledged = kept;
};

/** Its host takes it back, and the terminal is busy with that. Source: PA00P015 13.08, 2.2.8. */
const unheard = async ({ clock, memory, speaks }: SaleTools, kept: StoredTransaction): Promise<void> => {
  if (!speaks('unheard-reversed') || kept.code !== '00' || kept.reversed) return;
  await pause(clock, hostMs);
  neverMade(memory, kept);
};

const putOffMs = 2_000;

/** Told again every two seconds while the register puts it off, as often as it said it would. */
const tellResult = async (
  lead: Lead,
  tools: SaleTools,
  { kept, putsOffMost = Infinity }: Finishing,
): Promise<RegisterReply> => {
  for (let putOff = 0; ; putOff += 1) {
    const heard = await lead.tell(resultOfKept(kept, tools.config, tools.register.containers));
    if (heard !== 'putOff' || putOff >= putsOffMost) return heard;
    await lead.pause(putOffMs);
  }
};

/** Only so much was delivered: so much the customer pays. */
const issuedInPart = ({ memory, report }: SaleTools, kept: StoredTransaction, data: Uint8Array): void => {
  const issued = bmp(decodeBmps(data), '04');
  if (kept.code !== '00' || issued === undefined) return;
  const minor = amount.decode(issued);
  if (minor >= kept.amountMinor) return;
  const { pan } = kept.card;
  memory.spent.set(pan, (memory.spent.get(pan) ?? 0n) - (kept.amountMinor - minor));
  kept.amountMinor = minor;
  report(`only a part was issued: ${minor} instead of the whole amount`);
};

/** With letters that each set of characters has elsewhere. */
const GREETING = 'Schöne Grüße, Österreich';

/** What is not the register's to print, the terminal prints itself. */
export const printed = ({ register, config, speaks }: SaleTools, kept: StoredTransaction): ZvtApdu[] =>
  (['merchant', 'customer'] as const).flatMap((whose) => {
    if (!register.prints.payments) return [];
    const lines = [...receiptOf(kept, whose, config), ...(setOf(speaks) === codePage ? [] : [GREETING])];
    return register.textBlocks ? [textBlockApdu(whose, lines)] : lineApdus(lines);
  });

const takeBack = ({ memory, speaks }: SaleTools, kept: StoredTransaction): StoredTransaction => {
  kept.reversed = true;
  const { trace: original } = kept;
  const numbers = nextNumbers(memory);
  const receipt = speaks('reversal-same-number') ? kept.receipt : numbers.receipt;
  const reversal: StoredTransaction = { ...kept, ...numbers, receipt, kind: 'reversal', original, reversed: true };
  keep(memory, reversal);
  return reversal;
};

/** Takes back the last payment with this receipt number, of this day, if it is of the amount that was named. */
export const reverse = async (
  lead: Lead,
  tools: SaleTools,
  { receipt, amountMinor, currency }: { receipt: string; amountMinor?: bigint; currency?: string },
): Promise<void> => {
  const { memory } = tools;
  const found = memory.day.findLast((kept) => kept.receipt === receipt && kept.kind !== 'reversal');
  if (found === undefined) return failed(lead, 'B5');
  if (amountMinor !== undefined && (found.amountMinor !== amountMinor || found.currency !== currency))
    return failed(lead, 'B7');
  if (found.reversed) return failed(lead, 'B4');
  await show(lead, tools, '04');
  await lead.pause(hostMs);
  if (lead.isAborted()) return stopped(lead, tools);
  if (lead.isGone()) return;
  lead.decided = true;
  const reversal = takeBack(tools, found);
  reversal.at = nowOf(tools);
  // It is over: no card is in the slot, so none is asked back.
  const result = resultOfKept(reversal, tools.config, tools.register.containers);
  if (await lead.tellAll([result, ...printed(tools, reversal), completionApdu()])) memory.acknowledged = reversal;
};

export const administration = ({ register }: SaleTools, lines: readonly string[]): ZvtApdu[] => {
  if (!register.prints.administration) return [];
  return register.textBlocks ? [textBlockApdu('administration', lines)] : lineApdus(lines);
};

/** The day's total; closed, its payments can no longer be reversed. */
export const closeDay = async (lead: Lead, tools: SaleTools, { closes }: { closes: boolean }): Promise<void> => {
  const { memory } = tools;
  await show(lead, tools, '0E');
  await lead.pause(hostMs);
  if (lead.isGone()) return;
  lead.decided = true;
  const { result, lines } = dayNow(tools, { closes });
  if (closes) memory.closing = { result, lines };
  await lead.tellAll([result, ...administration(tools, lines), completionApdu()]);
};

/** What the day comes to; closed, it begins anew. */
const dayNow = (tools: SaleTools, { closes }: { closes: boolean }): { result: ZvtApdu; lines: string[] } => {
  const { memory, config, speaks } = tools;
  const trace = closes ? nextNumbers(memory).trace : memory.numbers.trace.toString().padStart(6, '0');
  const title = closes ? 'END OF DAY' : 'TOTALS SO FAR';
  const day = dayOf(memory.day, { config, at: nowOf(tools), trace, title, isSumOnly: speaks('totals-sum') });
  if (closes) memory.day.length = 0;
  return day;
};

const dateOf = (at: number): string => dateTime(at).slice(0, 10);

const isNewDate = (tools: SaleTools): boolean => {
  const [first] = tools.memory.day;
  return tools.speaks('day-by-itself') && first !== undefined && dateOf(first.at) !== dateOf(nowOf(tools));
};

/** Its own end of day, within the command of a payment: no result of its own, but a receipt. */
const endDayFirst = async (lead: Lead, tools: SaleTools): Promise<void> => {
  await show(lead, tools, '0F');
  await lead.pause(hostMs);
  if (lead.isGone()) return;
  await lead.tellAll(administration(tools, dayNow(tools, { closes: true }).lines));
};
