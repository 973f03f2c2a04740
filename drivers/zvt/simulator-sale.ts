/** How the simulated ZVT terminal carries out a command: what it shows, decides, tells and prints, in that order. */
import type { Clock } from '../../src/base/clock.ts';
import { toHex } from '../../src/base/hex.ts';
import type { Random } from '../../src/base/ids.ts';
import type { ZvtApdu } from '../framing/zvt-apdu.ts';
import { pace } from '../simulation/pace.ts';
import { readCard, refusalOf, verificationOf } from '../simulation/pretend-issuer.ts';
import type { Cardholder, Presentation } from '../simulation/simulator.ts';
import { type TerminalConfig, USUAL_HOST_MS } from '../simulation/terminal-config.ts';
import type { Verification } from '../terminal.ts';
import { abortedApdu, completionApdu, lineApdus, resultApdu, statusApdu, textBlockApdu } from './messages.ts';
import { codeOf, verificationCode } from './simulator-issuer.ts';
import type { Lead } from './simulator-lead.ts';
import { type Kept, keep, type Memory, nextNumbers } from './simulator-memory.ts';
import { dayOf, receiptOf, resultOfKept } from './simulator-results.ts';

export type SaleTools = {
  clock: Clock;
  random: Random;
  cardholder: Cardholder;
  config: TerminalConfig;
  memory: Memory;
  /** Whether the till takes blocks of text, or wants single lines. */
  textBlocks: boolean;
  /** How much later than usual an aborted command ends. */
  lateMs(): number;
  report(line: string): void;
};

/** The terminal's own clock, which need not be right. */
const nowOf = ({ clock, config }: SaleTools): number => clock.now() + config.clockOffsetMs;

/** How long nobody is waited for, and what typing and asking take. */
const waitsMs = 60_000;
const pinMs = 1_000;
const hostMs = USUAL_HOST_MS;

export type Asked = { kind: 'payment' | 'refund'; amountMinor: bigint; currency: string };

/** A payment or a refund, from the empty reader to its receipts. */
export const sell = async (lead: Lead, tools: SaleTools, asked: Asked): Promise<void> => {
  const { memory, random, cardholder } = tools;
  if ((await lead.tell(statusApdu('0A'))) === 'gone') return;
  const presentation = cardholder();
  await lead.pause(presentation.never ? waitsMs : (presentation.afterMs ?? pace.comesAfterMs));
  if (presentation.never || presentation.cancels || lead.isAborted()) return stopped(lead, tools);
  tools.report(`${presentation.by}: ${presentation.card.label}`);
  const read = readCard(presentation);
  if ('why' in read) return failed(lead, codeOf[read.why]);
  if (presentation.by === 'chip') await lead.tell(statusApdu('68'));
  await lead.tell(statusApdu('0E'));
  const verification = verificationOf(presentation, read.entryMode);
  if (!(await entersPin(lead, presentation, verification))) return stopped(lead, tools);
  await lead.tell(statusApdu('04'));
  // The issuer of a slow host has the question already: nothing takes it back.
  lead.decided = tools.config.hostMs > USUAL_HOST_MS;
  await lead.pause(tools.config.hostMs);
  if (lead.isAborted()) return stopped(lead, tools);
  // A till that has gone before the issuer was asked gets no payment; one that goes later finds it as the last one.
  if (lead.isGone() && !lead.decided) return;
  lead.decided = true;
  const at = nowOf(tools);
  const { amountMinor } = asked;
  const refusal = refusalOf({
    presentation,
    verification,
    amountMinor: asked.kind === 'refund' ? 0n : amountMinor,
    at,
    spent: memory.spent,
  });
  const code = refusal === undefined ? '00' : codeOf[refusal];
  const authorisation = (Number.parseInt(toHex(random(3)), 16) % 1_000_000).toString().padStart(6, '0');
  const { card } = presentation;
  const { entryMode } = read;
  const kept: Kept = {
    ...asked,
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
  await finish(lead, tools, kept);
};

const entersPin = async (lead: Lead, { pin }: Presentation, verification: Verification): Promise<boolean> => {
  if (verification !== 'onlinePin' && verification !== 'offlinePin') return true;
  await lead.tell(statusApdu('01'));
  await lead.pause(pinMs);
  return pin !== 'cancel' && !lead.isAborted();
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

const finish = async (lead: Lead, tools: SaleTools, kept: Kept): Promise<void> => {
  const heard = await lead.tell(resultOfKept(kept, tools.config));
  if (heard === 'gone') return;
  if (heard === 'goodsNotIssued' && kept.code === '00') takeBack(tools.memory, kept);
  if (kept.entryMode === 'ICC') await lead.tell(statusApdu('0B'));
  if (!(await lead.tellAll(printed(tools, kept)))) return;
  await lead.tell(
    kept.code === '00' && !kept.reversed ? completionApdu() : abortedApdu(kept.code === '00' ? '6C' : kept.code),
  );
};

const printed = ({ textBlocks, config }: SaleTools, kept: Kept): ZvtApdu[] =>
  (['merchant', 'customer'] as const).flatMap((whose) => {
    const lines = receiptOf(kept, whose, config);
    return textBlocks ? [textBlockApdu(whose, lines)] : lineApdus(lines);
  });

const takeBack = (memory: Memory, kept: Kept): Kept => {
  kept.reversed = true;
  const { trace: original } = kept;
  const reversal: Kept = { ...kept, ...nextNumbers(memory), kind: 'reversal', original, reversed: true };
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
  await lead.tell(statusApdu('04'));
  await lead.pause(hostMs);
  if (lead.isAborted()) return stopped(lead, tools);
  if (lead.isGone()) return;
  lead.decided = true;
  const reversal = takeBack(memory, found);
  reversal.at = nowOf(tools);
  // It is over: no card is in the slot, so none is asked back.
  await lead.tellAll([resultOfKept(reversal, tools.config), ...printed(tools, reversal), completionApdu()]);
};

/** Prints again what was done last, a transaction or the end of a day; the result is told where it was asked for. */
export const repeat = async (lead: Lead, tools: SaleTools, { withResult }: { withResult: boolean }): Promise<void> => {
  const { last, closing } = tools.memory;
  const told = (result: ZvtApdu): ZvtApdu[] => (withResult ? [result] : []);
  if (closing !== undefined)
    await lead.tellAll([...told(closing.result), ...closingReceipt(tools, closing.lines), completionApdu()]);
  else if (last !== undefined) {
    await lead.tellAll([...told(resultOfKept(last, tools.config)), ...printed(tools, last), completionApdu()]);
  }
};

const closingReceipt = ({ textBlocks }: SaleTools, lines: readonly string[]): ZvtApdu[] =>
  textBlocks ? [textBlockApdu('administration', lines)] : lineApdus(lines);

/** Closes the day: the payments can no longer be reversed. */
export const closeDay = async (lead: Lead, tools: SaleTools): Promise<void> => {
  const { memory, config } = tools;
  await lead.tell(statusApdu('0E'));
  await lead.pause(hostMs);
  if (lead.isGone()) return;
  lead.decided = true;
  const { trace } = nextNumbers(memory);
  const { result, lines } = dayOf(memory.day, { config, at: nowOf(tools), trace });
  memory.day.length = 0;
  memory.closing = { result, lines };
  await lead.tellAll([result, ...closingReceipt(tools, lines), completionApdu()]);
};
