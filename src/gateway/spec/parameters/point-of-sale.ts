/** Spec 2.34, request rows: the data of a card terminal. Encrypted data stay as the terminal made them. */
import { deviceModels } from '../../../emv/device-models.ts';
import { entryModes } from '../../../emv/entry-mode.ts';
import { an, echoed, n, oneOf, regex, text } from './kinds.ts';
import { section } from './row.ts';

const DATA: readonly [number, number] = [1, 2048];
const ID: readonly [number, number] = [1, 32];

const knownModels = deviceModels.map(({ code, manufacturer }) => `${code} (${manufacturer})`).join(', ');

const degrees = (text: string, example: string) =>
  regex(
    /^-?[0-9]{1,3}\.[0-9]{1,8}$/,
    {
      mustBe: 'degrees with 1 to 8 decimals',
      good: ['0.0', '-0.1', '47.07135000', '-180.12345678'],
      bad: ['47', '47.', '.5', '47.123456789', '+47.1', '47,1', '1000.0'],
    },
    text,
    { example, echo: true },
  );

export const pointOfSale = section('pos', {
  entryMode: oneOf(entryModes, 'How the card was read.', { example: 'ICC', req: 'R', echo: true }),
  terminalId: n(ID, 'The terminal’s number at the acquirer.', {
    example: '70001234',
    req: 'R',
    echo: true,
    machine: true,
  }),
  deviceId: n(ID, 'The terminal’s serial number.', { example: '1903271', echo: true, machine: true }),
  deviceType: text(ID, `The terminal’s model. Known by name: ${knownModels}. Others are accepted unchanged.`, {
    example: 'P400',
    echo: true,
  }),
  'encryptedPin.data': an(DATA, 'The PIN block, encrypted.', { secret: 'authentication', example: '1C41AB4A9F2B0F1D' }),
  'encryptedPin.ksn': an(DATA, 'The key serial number of the PIN block.', {
    secret: 'account',
    example: 'FFFF9876543210E00001',
  }),
  'encryptedSred.data': an(DATA, 'The account data, encrypted.', { secret: 'account', example: '9C1D0E5A77B3A2F8' }),
  'encryptedSred.ksn': an(DATA, 'The key serial number of the account data.', {
    secret: 'account',
    example: 'FFFF9876543210E00002',
  }),
  iccDataRequest: text(DATA, 'The chip’s data, TLV, with the ARQC.', {
    secret: 'account',
    example: '9F02060000000012509C0100',
  }),
  'location.accuracy': n(ID, 'Accuracy of the position, metres.', echoed('10')),
  'location.latitude': degrees('Position, north positive.', '47.07135'),
  'location.longitude': degrees('Position, east positive.', '-15.439504'),
  panSequenceNumber: n(ID, 'The number of the card within the account, tag 5F34.', {
    example: '1',
    echo: true,
    machine: true,
  }),
  pinEntryCapability: oneOf(['PIN_ENTRY_AVAILABLE', 'PIN_ENTRY_UNAVAILABLE'], 'Whether a PIN can be entered.', {
    example: 'PIN_ENTRY_AVAILABLE',
    echo: true,
  }),
  transactionSequenceNumber: n(ID, 'Counts the terminal’s transactions.', { example: '42', echo: true, machine: true }),
  transactionSource: oneOf(['POS'], 'The source of the transaction.', echoed('POS')),
});
