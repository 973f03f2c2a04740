/** How the simulated ZVT terminal tells again what it did last (0620), and which dialects do it otherwise. */
import type { ZvtApdu } from '../../framing/zvt-apdu.ts';
import { completionApdu, refusal } from '../protocol/messages.ts';
import { isSet } from './about.ts';
import type { Lead } from './lead.ts';
import type { StoredTransaction } from './memory.ts';
import { resultOfKept } from './results.ts';
import { administration, printed, type SaleTools } from './sale.ts';

/** A transaction or the end of a day: its result and its receipt. */
type Repeated = { result: ZvtApdu; receipt: readonly ZvtApdu[] };

const storedOf = ({ memory, speaks }: SaleTools): StoredTransaction | undefined => {
  if (speaks('repeat-before')) return memory.before;
  if (speaks('repeat-acknowledged')) return memory.acknowledged;
  return speaks('repeat-approved') ? memory.approved : memory.last;
};

const repeatedOf = (tools: SaleTools): Repeated | undefined => {
  const { memory, config, register, speaks } = tools;
  if (speaks('repeat-none')) return undefined;
  const { closing } = memory;
  if (closing !== undefined) return { result: closing.result, receipt: administration(tools, closing.lines) };
  const kept = storedOf(tools);
  return kept && { result: resultOfKept(kept, config, register.containers), receipt: printed(tools, kept) };
};

/** It still shows how its last transaction ended. */
export const isShowing = ({ clock, memory, speaks }: SaleTools): boolean =>
  speaks('repeat-busy') && clock.monotonic() < memory.shownUntil;

/** By what 0620 is refused. */
export const repeatRefusal = (tools: SaleTools): ZvtApdu | undefined => {
  if (isShowing(tools)) return refusal('A0');
  return repeatedOf(tools) === undefined ? refusal('83') : undefined;
};

/** Result and receipt as the service byte asks: 01 the result too, 02 no receipt. Source: PA00P015 13.08, 2.20. */
export const repeat = async (lead: Lead, tools: SaleTools, service: string | undefined): Promise<void> => {
  const repeated = repeatedOf(tools);
  if (repeated === undefined) return;
  const withResult = isSet(service, 0x01) && !tools.speaks('repeat-bare');
  await lead.tellAll([
    ...(withResult ? [repeated.result] : []),
    ...(isSet(service, 0x02) ? [] : repeated.receipt),
    completionApdu(),
  ]);
};
