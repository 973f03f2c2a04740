/**
 * Session keys, application cryptograms, responses and scripts: the published vectors, step by step and as whole flows.
 */
import { describe, expect, test } from 'vitest';
import { concat, toHex } from '../../src/base/hex.ts';
import { arpcMethod1, arpcMethod2, parseCsu, printCsu } from '../../src/emv/arpc.ts';
import {
  applicationCryptogram,
  type CryptogramPadding,
  type CvnName,
  commonInput,
  versionOf,
} from '../../src/emv/cryptogram-table.ts';
import {
  cardKeys,
  cryptogramKey,
  cryptogramOf,
  messagingKey,
  pinChangeCommand,
  scriptMacOf,
} from '../../src/emv/cryptogram-versions.ts';
import { kcv, macEquals, pad } from '../../src/emv/mac.ts';
import { newPinBlock, type PinChangeEncryption, pinChangeData, scriptMac, visPinBlock } from '../../src/emv/script.ts';
import {
  acSessionKey,
  commonSessionKey,
  type DerivationOption,
  emv2000SessionKey,
  iccMasterKey,
  mastercardSessionKey,
  visaSmSessionKey,
} from '../../src/emv/session-keys.ts';
import { type Inputs, isRefusal, runVectors } from './vectors.ts';

const masterKey = (inputs: Inputs, imk: string): Uint8Array =>
  iccMasterKey({
    imk: inputs.hex(imk),
    pan: inputs.text('pan'),
    psn: inputs.text('psn'),
    option: inputs.text('option') as DerivationOption,
  });

/** The session key for a vector's `skMethod`. */
const sessionKey = (inputs: Inputs, mk: Uint8Array): Uint8Array => {
  const method = inputs.text('skMethod');
  switch (method) {
    case 'none':
      return mk;
    case 'common':
      return commonSessionKey(mk, inputs.hex('r'));
    case 'mastercard':
      return mastercardSessionKey(mk, { atc: inputs.hex('atc'), un: inputs.hex('un') });
    case 'visaSm':
      return visaSmSessionKey(mk, inputs.hex('atc'));
    default:
      throw new Error(`no session key method ${method}`);
  }
};

const check = (key: Uint8Array, length = 2): string => toHex(kcv('tdesZeros', key, length));
const padding = (inputs: Inputs): CryptogramPadding => inputs.text('padding') as CryptogramPadding;

const chain = (inputs: Inputs): { mk: Uint8Array; sk: Uint8Array; arqc: Uint8Array } => {
  const mk = masterKey(inputs, 'imk');
  const sk = sessionKey(inputs, mk);
  return { mk, sk, arqc: applicationCryptogram({ key: sk, data: inputs.hex('data'), padding: padding(inputs) }) };
};

const arpcOf = (inputs: Inputs, key: Uint8Array, arqc: Uint8Array): Uint8Array => {
  if (inputs.number('arpcMethod') === 1) return arpcMethod1({ key, arqc, arc: inputs.hex('arc') });
  const proprietary = inputs.has('propAuthData') ? { proprietary: inputs.hex('propAuthData') } : {};
  return arpcMethod2({ key, arqc, csu: inputs.hex('csu'), ...proprietary });
};

const pinChange = (inputs: Inputs): Record<string, unknown> => {
  const mkSmc = masterKey(inputs, 'imkSmc');
  const mkSmi = masterKey(inputs, 'imkSmi');
  const [skSmc, skSmi] = [sessionKey(inputs, mkSmc), sessionKey(inputs, mkSmi)];
  const pin = inputs.text('pin');
  const current = inputs.has('currentPin') ? { currentPin: inputs.text('currentPin') } : {};
  const format2 = inputs.text('pinBlock') === 'ISO format 2';
  const pinBlock = format2 ? newPinBlock(pin) : visPinBlock({ mkAc: masterKey(inputs, 'imkAc'), pin, ...current });
  const data = pinChangeData({ encryption: inputs.text('encryption') as PinChangeEncryption, key: skSmc, pinBlock });
  return {
    pinBlock: toHex(pinBlock),
    mkSmcKcv: check(mkSmc, 3),
    mkSmiKcv: check(mkSmi, 3),
    skSmcKcv: check(skSmc, 3),
    skSmiKcv: check(skSmi, 3),
    encryptedPin: toHex(data),
    mac: toHex(scriptMac({ key: skSmi, data: concat(inputs.hex('macPrefix'), data) })),
  };
};

/** The vectors number Visa's versions as their source does, and Mastercard's and Interac's in decimal. */
const versions: Readonly<Record<string, CvnName>> = {
  'visa 10': 'visa10',
  'visa 22': 'visa22',
  'mastercard 16': 'mchip10',
  'mastercard 21': 'mchip15',
  'interac 133': 'interac133',
};

const cvnFlow = (inputs: Inputs): Record<string, unknown> => {
  const cvn = versions[`${inputs.text('scheme')} ${inputs.number('cvn')}`];
  if (cvn === undefined) throw new Error('the vector is of no version we have');
  const keys = cardKeys({
    imkAc: inputs.hex('imkAc'),
    imkSmi: inputs.hex('imkSmi'),
    imkSmc: inputs.hex('imkSmc'),
    pan: inputs.text('pan'),
    psn: inputs.text('psn'),
    option: inputs.text('option') as DerivationOption,
  });
  const tags = inputs.tags();
  const cryptogram = cryptogramOf(cvn, keys, tags);
  const transaction = { tags, cryptogram };
  const skAc = cryptogramKey(cvn, keys, tags);
  const answerKey = versionOf(cvn).answerKey === 'mk' ? keys.mkAc : skAc;
  const arpc = inputs.has('csu')
    ? arpcMethod2({ key: answerKey, arqc: cryptogram, csu: inputs.hex('csu') })
    : arpcMethod1({ key: answerKey, arqc: cryptogram, arc: inputs.hex('arc') });
  const change = { ...transaction, pin: inputs.text('pin') };
  return {
    mkAcKcv: check(keys.mkAc),
    mkSmiKcv: check(keys.mkSmi),
    mkSmcKcv: check(keys.mkSmc),
    skAcKcv: check(skAc),
    skSmiKcv: check(messagingKey(cvn, keys.mkSmi, transaction)),
    skSmcKcv: check(messagingKey(cvn, keys.mkSmc, transaction)),
    arqc: toHex(cryptogram),
    arpc: toHex(arpc),
    scriptMac: toHex(scriptMacOf(cvn, keys, { ...transaction, command: inputs.hex('scriptHeader') })),
    pinChange: toHex(pinChangeCommand(cvn, keys, change)),
    pinChangeWithCurrent: inputs.has('currentPin')
      ? toHex(pinChangeCommand(cvn, keys, { ...change, currentPin: inputs.text('currentPin') }))
      : undefined,
  };
};

const acInput = (inputs: Inputs): Record<string, unknown> => {
  if (inputs.has('cvr')) return { data: toHex(concat(commonInput(inputs.tags()), inputs.hex('cvr'))) };
  const iad = inputs.tags()('9F10');
  const visaVersion: CvnName = iad?.[0] === 0x1f ? 'visa22' : 'visa10';
  const row = versionOf(inputs.text('scheme') === 'visa' ? visaVersion : 'mchip10');
  const data = row.input(inputs.tags());
  return { data: toHex(data), padding: row.padding, padded: toHex(pad(row.padding === '80' ? 2 : 1, data, 8)) };
};

describe('published vectors', () => {
  runVectors(
    'arqc-arpc.json',
    {
      'emv.chain': (inputs) => {
        const { mk, sk, arqc } = chain(inputs);
        const arpc = arpcOf(inputs, inputs.text('arpcKey') === 'mk' ? mk : sk, arqc);
        const kcvs = { imkKcv: check(inputs.hex('imk')), mkKcv: check(mk), skKcv: check(sk) };
        return { ...kcvs, arqc: toHex(arqc), arpc: toHex(arpc) };
      },
      'emv.verifyArqc': (inputs) => ({ valid: macEquals(chain(inputs).arqc, inputs.hex('arqc')) }),
      'emv.applicationCryptogram': (inputs) => ({
        arqc: toHex(
          applicationCryptogram({ key: inputs.hex('key'), data: inputs.hex('data'), padding: padding(inputs) }),
        ),
      }),
      'emv.acInput': acInput,
      'emv.commonSessionKey': (inputs) => ({ sk: toHex(commonSessionKey(inputs.hex('mk'), inputs.hex('r'))) }),
      'emv.visaSmSessionKey': (inputs) => ({ sk: toHex(visaSmSessionKey(inputs.hex('mk'), inputs.hex('atc'))) }),
      'emv.emv2000SessionKey': (inputs) => {
        const height = inputs.number('height') as 8 | 16;
        const branchFactor = inputs.number('branchFactor') as 2 | 4;
        const tree = { atc: inputs.hex('atc'), height, branchFactor };
        const sk = emv2000SessionKey(inputs.hex('mk'), { ...tree, iv: inputs.hex('iv') });
        expect(emv2000SessionKey(inputs.hex('mk'), tree)).toEqual(sk);
        return { sk: toHex(sk) };
      },
      'emv.arpc1': (inputs) => ({
        arpc: toHex(arpcMethod1({ key: inputs.hex('key'), arqc: inputs.hex('arqc'), arc: inputs.hex('arc') })),
      }),
      'emv.arpc2': (inputs) => ({
        arpc: toHex(arpcMethod2({ key: inputs.hex('key'), arqc: inputs.hex('arqc'), csu: inputs.hex('csu') })),
      }),
      'emv.scriptMac': (inputs) => {
        expect(inputs.text('padding')).toBe('80');
        return { mac: toHex(scriptMac({ key: inputs.hex('key'), data: inputs.hex('data') })) };
      },
      'emv.scriptMacChain': (inputs) => {
        const mk = masterKey(inputs, 'imkSmi');
        const sk = sessionKey(inputs, mk);
        const mac = scriptMac({ key: sk, data: inputs.hex('data') });
        return { mkKcv: check(mk), skKcv: check(sk), mac: toHex(mac) };
      },
      'emv.pinChange': pinChange,
      'emv.cvnFlow': cvnFlow,
    },
    ['emv.iad'],
  );
});

test('a CSU’s bytes match its fields', () => {
  const words = [
    { csu: { approves: true, counters: 'reset' }, hex: '00820000' },
    { csu: { approves: false, counters: 'keep' }, hex: '00000000' },
    { csu: { approves: true, counters: 'addTransaction', pinTries: 3 }, hex: '03930000' },
    { csu: { approves: false, counters: 'keep', blocksCard: true, goesOnlineNext: true }, hex: '00480000' },
    { csu: { approves: false, counters: 'toUpperLimits', blocksApplication: true, byProxy: true }, hex: '00250000' },
    { csu: { approves: true, counters: 'keep', hasProprietaryData: true, pinTries: 0 }, hex: '80900000' },
  ] as const;
  for (const { csu, hex } of words) {
    expect(toHex(printCsu(csu))).toBe(hex);
    expect(parseCsu(printCsu(csu))).toMatchObject(csu);
  }
});

const key = new Uint8Array(16);
const eight = new Uint8Array(8);
test.each([
  ['a PIN try counter of 16', () => printCsu({ approves: true, counters: 'keep', pinTries: 16 })],
  ['a CSU of 3 bytes', () => parseCsu(new Uint8Array(3))],
  [
    'proprietary data of 9 bytes',
    () => arpcMethod2({ key, arqc: eight, csu: new Uint8Array(4), proprietary: new Uint8Array(9) }),
  ],
  ['an ARC of 3 bytes', () => arpcMethod1({ key, arqc: eight, arc: new Uint8Array(3) })],
  ['a PAN of letters', () => iccMasterKey({ imk: key, pan: 'ABCDEFGHIJKLM', psn: '00', option: 'A' })],
  ['a PAN of 20 digits', () => iccMasterKey({ imk: key, pan: '1'.repeat(20), psn: '00', option: 'B' })],
  ['a PAN sequence number of one digit', () => iccMasterKey({ imk: key, pan: '1'.repeat(16), psn: '1', option: 'A' })],
  ['an issuer master key of 8 bytes', () => iccMasterKey({ imk: eight, pan: '1'.repeat(16), psn: '01', option: 'A' })],
  ['an ATC of 3 bytes', () => acSessionKey(key, new Uint8Array(3))],
  [
    'an unpredictable number of 3 bytes',
    () => mastercardSessionKey(key, { atc: new Uint8Array(2), un: new Uint8Array(3) }),
  ],
  [
    'a key tree with too few leaves',
    () => emv2000SessionKey(key, { atc: new Uint8Array(2), height: 8, branchFactor: 2 }),
  ],
  ['a PIN block of 16 bytes', () => pinChangeData({ encryption: 'visa', key, pinBlock: key })],
  ['a new PIN of 3 digits', () => newPinBlock('123')],
  ['a current PIN with a letter', () => visPinBlock({ mkAc: key, pin: '1234', currentPin: '12a4' })],
])('refuses %s', (_, run) => {
  expect(run).toThrow(expect.toSatisfy(isRefusal));
});
