/** What the simulated ZVT terminal says of itself: at a registration, and when its state is asked for. */
import { fromHex } from '../../../src/base/hex.ts';
import { tlv } from '../../../src/emv/tlv.ts';
import { currency, digits } from '../../codec.ts';
import type { ZvtApdu } from '../../framing/zvt-apdu.ts';
import type { TerminalConfig } from '../../simulation/terminal-config.ts';
import { type Bmp, container } from '../protocol/bmps.ts';
import { bytesOfText } from '../protocol/characters.ts';
import { namesSet, setOf } from '../protocol/dialects.ts';
import { completionApdu } from '../protocol/messages.ts';
import { tags } from '../protocol/tags.ts';
import type { SaleTools } from './sale.ts';

type Teller = Pick<SaleTools, 'config' | 'register' | 'speaks'>;

/** Whether this bit of a service byte is set. */
export const isSet = (service: string | undefined, bit: number): boolean =>
  (Number.parseInt(service ?? '00', 16) & bit) !== 0;

/** The software version unless bit 2 leaves it out, the state, and who it is where bit 4 asks for it. */
export const statusOf = (
  { config, register, speaks }: Teller,
  { service, state }: { service: string | undefined; state: number },
): ZvtApdu => {
  const firmware = speaks('version-long') ? config.firmware.padEnd(LONG) : config.firmware;
  if (speaks('status-bare')) return completionOf(Uint8Array.of(state));
  const { code, data } = completionApdu(register.containers && isSet(service, 0x04) ? [device(config)] : []);
  const length = [...firmware.length.toString().padStart(3, '0')].map((digit) => 0xf0 + Number(digit));
  const isAlways = speaks('version-always') || speaks('version-long');
  const isLeftOut = speaks('version-never') || (isSet(service, 0x02) && !isAlways);
  const version = isLeftOut ? [] : [...length, ...bytesOfText(firmware)];
  return { code, data: Uint8Array.of(...version, state, ...data) };
};

const LONG = 40;
const completionOf = (data: Uint8Array): ZvtApdu => ({ ...completionApdu(), data });

export const aboutOf = ({ config, register, speaks }: Teller): Bmp[] => [
  { number: '19', value: Uint8Array.of(0) },
  { number: '29', value: digits(4).encode(config.serial) },
  { number: '49', value: currency.encode('EUR') },
  ...(register.containers ? [device(config, namesSet(speaks, 'registration') ? setOf(speaks) : undefined)] : []),
];

const device = ({ model, firmware, serial }: TerminalConfig, set?: string): Bmp =>
  container([
    ...(set === undefined ? [] : [tlv(tags.characterSets, [tlv(tags.characterSet, set)])]),
    tlv(tags.deviceInformation, [
      tlv(tags.deviceName, bytesOfText(model)),
      tlv(tags.softwareVersion, bytesOfText(firmware)),
      tlv(tags.serialNumber, fromHex(serial)),
    ]),
  ]);
