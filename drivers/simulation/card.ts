/**
 * A virtual chip card: a test card's chip with its own keys, counter and PIN tries, and its answer to each command. It
 * lives as long as its wallet. It has no certificates: there is no offline data authentication.
 */
import { fromHex } from '../../src/base/hex.ts';
import { cardKeys, scriptMacOf } from '../../src/emv/cryptogram-versions.ts';
import { macEquals } from '../../src/emv/mac.ts';
import { type TestCard, testKeys } from '../../src/emv/test-cards.ts';
import type { Tlv } from '../../src/emv/tlv.ts';
import { cvnOf, profileOf, recordsOf, selectionOf, type Via } from './card-profile.ts';
import { authenticate, type CardAnswer, type Chip, type CryptogramKind, generate } from './chip.ts';

export type VirtualCard = {
  readonly facts: TestCard;
  /** SELECT: name, label, language; undefined when there is no such application, or the card is blocked. */
  select(via: Via): readonly Tlv[] | undefined;
  /** GET PROCESSING OPTIONS: increments the counter. Returns the interchange profile, tag 82. */
  start(via: Via): Uint8Array;
  /** READ RECORD for all records. */
  records(): readonly Tlv[];
  pinTriesLeft(): number;
  /** VERIFY with a plaintext PIN. */
  verifyPin(pin: string): 'right' | 'wrong' | 'blocked';
  /** GENERATE AC over the data of CDOL1, then of CDOL2. Undefined: conditions of use not satisfied. */
  generate(ask: CryptogramKind, data: Uint8Array): CardAnswer | undefined;
  /** EXTERNAL AUTHENTICATE with the value of tag 91: whether the card takes it. */
  authenticateIssuer(data: Uint8Array): boolean;
  /** A command of an issuer script. Returns the status word, four hex digits. */
  command(apdu: Uint8Array): string;
};

const pinTriesMax = 3;

/** VERIFY: counts the tries down; a right PIN restores them. */
const verifyPin = (chip: Chip, pin: string): 'right' | 'wrong' | 'blocked' => {
  if (chip.triesLeft === 0) return 'blocked';
  const right = pin === chip.facts.pin;
  chip.triesLeft = right ? pinTriesMax : chip.triesLeft - 1;
  if (chip.session !== undefined) {
    chip.session.marks.offlinePin = right ? 'right' : 'wrong';
    chip.session.marks.pinTriesLeft = chip.triesLeft;
  }
  return right ? 'right' : 'wrong';
};

/** Checks the MAC of a script command over header, counter, cryptogram and data, then carries it out. */
const runCommand = (chip: Chip, apdu: Uint8Array): string => {
  const request = chip.session?.first;
  if (request === undefined) return '6985';
  const parts = macOf(apdu);
  if (parts === undefined) return '6700';
  const { cryptogram } = request.answer;
  const mac = scriptMacOf(chip.cvn, chip.keys, { tags: request.tags, cryptogram, command: parts.command });
  if (!macEquals(parts.mac, mac)) return '6988';
  switch (scriptEffect(apdu)) {
    case 'block':
      chip.blocked = true;
      return '9000';
    case 'unblock':
      chip.blocked = false;
      return '9000';
    case 'unblockPin':
      chip.triesLeft = pinTriesMax;
      return '9000';
    case 'data':
      return '9000';
    case undefined:
      return '6D00';
  }
};

const command = (chip: Chip, apdu: Uint8Array): string => {
  const status = runCommand(chip, apdu);
  if (chip.session !== undefined) {
    chip.session.marks.scripts += 1;
    chip.session.marks.scriptFailed ||= status !== '9000';
  }
  return status;
};

const start = (chip: Chip, via: Via): Uint8Array => {
  chip.atc = (chip.atc + 1) & 0xffff;
  const aip = fromHex(chip.profile.aip[via]);
  const marks = { first: 'ARQC', pinTriesLeft: chip.triesLeft, scripts: 0 } as const;
  chip.session = { atc: Uint8Array.of(chip.atc >> 8, chip.atc & 0xff), aip, marks: { ...marks } };
  return aip;
};

/** The chip of this card. `lastAtc` is the last transaction counter it used; 0 for a card fresh from its issuer. */
export const virtualCard = (facts: TestCard, { lastAtc = 0 }: { lastAtc?: number } = {}): VirtualCard => {
  const cvn = cvnOf(facts);
  const { imkAc, imkSmi, imkSmc } = testKeys;
  const keys = cardKeys({ imkAc, imkSmi, imkSmc, pan: facts.pan, psn: facts.psn });
  const hasInterface = (via: Via): boolean =>
    cvn !== undefined && (via === 'chip' ? facts.chip === 'good' : facts.contactless !== 'none');
  const chip: Chip = {
    facts,
    cvn: cvn ?? 'visa18',
    keys,
    profile: profileOf(facts),
    atc: lastAtc,
    triesLeft: pinTriesMax,
    blocked: false,
    session: undefined,
  };
  const records = cvn === undefined ? [] : recordsOf(facts);
  return {
    facts,
    select: (via) => (hasInterface(via) && !chip.blocked ? selectionOf(facts) : undefined),
    start: (via) => start(chip, via),
    records: () => records,
    pinTriesLeft: () => chip.triesLeft,
    verifyPin: (pin) => verifyPin(chip, pin),
    generate: (ask, data) => generate(chip, ask, data),
    authenticateIssuer: (data) => chip.session !== undefined && authenticate(chip, chip.session, data),
    command: (apdu) => command(chip, apdu),
  };
};

// Issuer script commands as the simulated chip reads them: the MAC at the end, and the effect on the chip.

/** The length of the MACs: the full eight bytes here. */
const macLength = 8;

/** The command without its MAC (its Lc still counts the MAC) and the MAC; undefined when the lengths disagree. */
const macOf = (apdu: Uint8Array): { command: Uint8Array; mac: Uint8Array } | undefined => {
  const length = apdu[4];
  if (length === undefined || length < macLength || apdu.length !== 5 + length) return undefined;
  return { command: apdu.subarray(0, apdu.length - macLength), mac: apdu.subarray(apdu.length - macLength) };
};

export type ScriptEffect = 'block' | 'unblock' | 'unblockPin' | 'data';

/**
 * EMV Book 3 section 6.5 commands: application and card block, unblock, PIN unblock, PUT DATA and UPDATE RECORD.
 * Undefined for other commands and for a PIN change: the PIN of a test card does not change.
 */
const scriptEffect = (apdu: Uint8Array): ScriptEffect | undefined => {
  const [, instruction, , p2] = apdu;
  switch (instruction) {
    case 0x16:
    case 0x1e:
      return 'block';
    case 0x18:
      return 'unblock';
    case 0x24:
      return p2 === 0 ? 'unblockPin' : undefined;
    case 0xda:
    case 0xdc:
      return 'data';
    default:
      return undefined;
  }
};

// The chips presented to the simulated terminals: one per card number, so that counters and PIN tries continue.

export type Wallet = (facts: TestCard) => VirtualCard;

export type WalletOptions = {
  /** The last transaction counter of a card that was never used. */
  lastAtc?: number;
};

/** An empty wallet; a card is added when it is first presented. */
export const createWallet = ({ lastAtc = 0 }: WalletOptions = {}): Wallet => {
  const cards = new Map<string, VirtualCard>();
  return (facts) => {
    const knownCard = cards.get(facts.pan) ?? virtualCard(facts, { lastAtc });
    cards.set(facts.pan, knownCard);
    return knownCard;
  };
};
