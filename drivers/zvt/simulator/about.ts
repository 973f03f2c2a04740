/** The simulated ZVT terminal's information about itself, and how it repeats its last transaction (0620). */
import { fromHex } from '../../../src/base/hex.ts';
import { tlv } from '../../../src/emv/tlv.ts';
import { currency, digits } from '../../codec.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import type { TerminalConfig } from '../../simulation/terminal-config.ts';
import { namesSet, setOf } from '../protocol/dialects.ts';
import { type Bmp, container, encodeBraces, tags } from '../protocol/fields.ts';
import { completionApdu, refusalApdu } from '../protocol/messages.ts';
import type { Lead } from './lead.ts';
import type { StoredTransaction } from './memory.ts';
import { resultOfStored } from './results.ts';
import { administration, printReceipt, type SaleTools } from './sale.ts';

type InfoTools = Pick<SaleTools, 'config' | 'register' | 'isDialect'>;

const isSet = (service: string | undefined, bit: number): boolean => (Number.parseInt(service ?? '00', 16) & bit) !== 0;

/** The software version unless bit 2 suppresses it, the state, and the identity if bit 4 asks for it. */
export const statusOf = (
  { config, register, isDialect }: InfoTools,
  { service, state }: { service: string | undefined; state: number },
): ZvtApdu => {
  const firmware = isDialect('version-long') ? config.firmware.padEnd(LONG) : config.firmware;
  if (isDialect('status-bare')) return completionOf(Uint8Array.of(state));
  const { code, data } = completionApdu(register.containers && isSet(service, 0x04) ? [device(config)] : []);
  const length = [...firmware.length.toString().padStart(3, '0')].map((digit) => 0xf0 + Number(digit));
  const isAlways = isDialect('version-always') || isDialect('version-long');
  const isLeftOut = isDialect('version-never') || (isSet(service, 0x02) && !isAlways);
  const version = isLeftOut ? [] : [...length, ...encodeBraces(firmware)];
  return { code, data: Uint8Array.of(...version, state, ...data) };
};

const LONG = 40;
const completionOf = (data: Uint8Array): ZvtApdu => ({ ...completionApdu(), data });

export const aboutOf = ({ config, register, isDialect }: InfoTools): Bmp[] => [
  { number: '19', value: Uint8Array.of(0) },
  { number: '29', value: digits(4).encode(config.serial) },
  { number: '49', value: currency.encode('EUR') },
  ...(register.containers ? [device(config, namesSet(isDialect, 'registration') ? setOf(isDialect) : undefined)] : []),
];

const device = ({ model, firmware, serial }: TerminalConfig, set?: string): Bmp =>
  container([
    ...(set === undefined ? [] : [tlv(tags.characterSets, [tlv(tags.characterSet, set)])]),
    tlv(tags.deviceInformation, [
      tlv(tags.deviceName, encodeBraces(model)),
      tlv(tags.softwareVersion, encodeBraces(firmware)),
      tlv(tags.serialNumber, fromHex(serial)),
    ]),
  ]);

// How the simulated ZVT terminal repeats its last transaction (0620), and which dialects differ.

/** A transaction or the end of a day: its result and its receipt. */
type RepeatedResult = { result: ZvtApdu; receipt: readonly ZvtApdu[] };

const storedOf = ({ memory, isDialect }: SaleTools): StoredTransaction | undefined => {
  if (isDialect('repeat-before')) return memory.previous;
  if (isDialect('repeat-acknowledged')) return memory.acknowledged;
  return isDialect('repeat-approved') ? memory.approved : memory.last;
};

const repeatedOf = (tools: SaleTools): RepeatedResult | undefined => {
  const { memory, config, register, isDialect } = tools;
  if (isDialect('repeat-none')) return undefined;
  const { closing } = memory;
  if (closing !== undefined) return { result: closing.result, receipt: administration(tools, closing.lines) };
  const transaction = storedOf(tools);
  return (
    transaction && {
      result: resultOfStored(transaction, config, register.containers),
      receipt: printReceipt(tools, transaction),
    }
  );
};

/** Whether the terminal still shows the outcome of its last transaction. */
export const isShowing = ({ clock, memory, isDialect }: SaleTools): boolean =>
  isDialect('repeat-busy') && clock.monotonic() < memory.shownUntil;

/** The refusal of 0620, if any. */
export const repeatRefusal = (tools: SaleTools): ZvtApdu | undefined => {
  if (isShowing(tools)) return refusalApdu('A0');
  return repeatedOf(tools) === undefined ? refusalApdu('83') : undefined;
};

/** Result and receipt as the service byte asks: 01 also the result, 02 no receipt. Source: PA00P015 13.08, 2.20. */
export const repeat = async (lead: Lead, tools: SaleTools, service: string | undefined): Promise<void> => {
  const repeated = repeatedOf(tools);
  if (repeated === undefined) return;
  const withResult = isSet(service, 0x01) && !tools.isDialect('repeat-bare');
  await lead.tellAll([
    ...(withResult ? [repeated.result] : []),
    ...(isSet(service, 0x02) ? [] : repeated.receipt),
    completionApdu(),
  ]);
};
