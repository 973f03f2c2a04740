/** The inside of a virtual chip: its counters, and its decisions at the two GENERATE ACs (EMV Book 3, 6.5.5 and 9). */
import { fromHex } from '../../src/base/hex.ts';
import {
  type CardKeys,
  type CvnName,
  checkIssuerAuthentication,
  cryptogramOf,
  type TagValues,
} from '../../src/emv/cryptogram-versions.ts';
import { parseDol } from '../../src/emv/dol.ts';
import type { TestCard } from '../../src/emv/test-cards.ts';
import type { Profile } from './card-profile.ts';
import { type Bit, setBit } from './terminal-config.ts';

/** The answer to GENERATE AC: tags 9F27, 9F36, 9F26 and 9F10. */
export type CardAnswer = {
  kind: CryptogramKind;
  cid: Uint8Array;
  atc: Uint8Array;
  cryptogram: Uint8Array;
  iad: Uint8Array;
};

/** One transaction, from GET PROCESSING OPTIONS to the last cryptogram. */
type Session = {
  atc: Uint8Array;
  aip: Uint8Array;
  marks: CardMarks;
  /** Set by issuer authentication: whether a genuine issuer approves. */
  issuerApproves?: boolean;
  first?: { answer: CardAnswer; tags: TagValues };
  ended?: boolean;
};

export type Chip = {
  readonly facts: TestCard;
  readonly cvn: CvnName;
  readonly keys: CardKeys;
  readonly profile: Profile;
  atc: number;
  triesLeft: number;
  blocked: boolean;
  session: Session | undefined;
};

const cids: Record<CryptogramKind, number> = { AAC: 0x00, TC: 0x40, ARQC: 0x80 };

/** Splits data object list data into its values, as the card that wrote the list reads it. */
const readDol = (dol: Uint8Array, data: Uint8Array): Map<string, Uint8Array> => {
  let offset = 0;
  return new Map(
    parseDol(dol).map(({ tag, length }) => {
      offset += length;
      return [tag, data.slice(offset - length, offset)];
    }),
  );
};

const minorOf = (bcd: Uint8Array | undefined): bigint => BigInt(Buffer.from(bcd ?? Uint8Array.of(0)).toString('hex'));

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** The values that the cryptogram covers: the card's own before the terminal's. */
const tagsOf = ({ aip, atc }: Session, iad: Uint8Array, terminal: TagValues): TagValues => {
  const own: Record<string, Uint8Array> = { '82': aip, '9F36': atc, '9F10': iad };
  return (tag) => own[tag] ?? terminal(tag);
};

const generateAnswer = (chip: Chip, session: Session, o: { kind: CryptogramKind; terminal: TagValues }) => {
  const iad = issuerApplicationData(chip.cvn, session.marks);
  if (iad === undefined) return undefined;
  const tags = tagsOf(session, iad, o.terminal);
  const cryptogram = cryptogramOf(chip.cvn, chip.keys, tags);
  const cardAnswer: CardAnswer = { kind: o.kind, cid: Uint8Array.of(cids[o.kind]), atc: session.atc, cryptogram, iad };
  return { answer: cardAnswer, tags };
};

/** The chip may be stricter than requested, never more lenient. */
const firstKind = (chip: Chip, ask: CryptogramKind, amountMinor: bigint): CryptogramKind => {
  if (chip.blocked || ask === 'AAC') return 'AAC';
  return ask === 'TC' && amountMinor <= chip.facts.offlineUpToMinor ? 'TC' : 'ARQC';
};

const secondKind = ({ blocked, facts }: Chip, ask: CryptogramKind, { marks, issuerApproves }: Session) => {
  if (blocked || ask !== 'TC') return 'AAC';
  if (marks.unableToGoOnline) return facts.unableToGoOnline === 'approves' ? 'TC' : 'AAC';
  if (marks.issuerAuthentication === 'failed' || issuerApproves === false) return 'AAC';
  return facts.secondCryptogram === 'agrees' ? 'TC' : 'AAC';
};

const firstAnswer = (
  chip: Chip,
  session: Session,
  o: { ask: CryptogramKind; data: Uint8Array },
): CardAnswer | undefined => {
  const values = readDol(fromHex(chip.profile.first), o.data);
  session.marks.first = firstKind(chip, o.ask, minorOf(values.get('9F02')));
  const cardAnswer = generateAnswer(chip, session, { kind: session.marks.first, terminal: (tag) => values.get(tag) });
  if (cardAnswer === undefined) return undefined;
  session.first = cardAnswer;
  session.ended = cardAnswer.answer.kind !== 'ARQC';
  return cardAnswer.answer;
};
const secondAnswer = (
  chip: Chip,
  session: Session,
  o: { ask: CryptogramKind; data: Uint8Array },
): CardAnswer | undefined => {
  const values = readDol(fromHex(chip.profile.second), o.data);
  const arc = Buffer.from(values.get('8A') ?? new Uint8Array(0)).toString('latin1');
  const issuerData = values.get('91');
  // Zeros stand for data that the terminal did not have: then there was no issuer.
  if (issuerData !== undefined && !isZero(issuerData)) authenticate(chip, session, issuerData);
  const { marks } = session;
  marks.unableToGoOnline = arc === 'Y3' || arc === 'Z3';
  marks.unauthenticatedOnline = !marks.unableToGoOnline && marks.issuerAuthentication === undefined;
  marks.second = secondKind(chip, o.ask, session);
  session.ended = true;
  // The chip remembers from CDOL1 what CDOL2 does not repeat.
  const earlierTags = session.first?.tags;
  const cardAnswer = generateAnswer(chip, session, {
    kind: marks.second,
    terminal: (tag) => values.get(tag) ?? earlierTags?.(tag),
  });
  return cardAnswer?.answer;
};

/** Checks the value of tag 91 and stores its decision. False: it was not made by this card's issuer. */
export const authenticate = (chip: Chip, session: Session, data: Uint8Array): boolean => {
  if (session.first === undefined) return false;
  const { tags, answer: request } = session.first;
  const { cryptogram } = request;
  const { genuine, approves } = checkIssuerAuthentication(chip.cvn, chip.keys, { tags, cryptogram, data });
  session.marks.issuerAuthentication = genuine ? 'performed' : 'failed';
  session.issuerApproves = approves;
  return genuine;
};

/** GENERATE AC, the first or the second of this session. Undefined: conditions of use not satisfied. */
export const generate = (chip: Chip, ask: CryptogramKind, data: Uint8Array): CardAnswer | undefined => {
  const { session } = chip;
  if (session === undefined || session.ended) return undefined;
  return session.first === undefined
    ? firstAnswer(chip, session, { ask, data })
    : secondAnswer(chip, session, { ask, data });
};

// Issuer application data, tag 9F10: what the simulated chip tells its issuer about this transaction. Visa's format
// 0/1/3 and the 18-byte M/Chip form, each with its card verification results; Interac's form, whose results have no
// public description and stay zero.

export type CryptogramKind = 'AAC' | 'TC' | 'ARQC';

/** What happened in this transaction so far, as the chip saw it. */
type CardMarks = {
  first: CryptogramKind;
  second?: CryptogramKind;
  issuerAuthentication?: 'performed' | 'failed';
  offlinePin?: 'right' | 'wrong';
  pinTriesLeft: number;
  unableToGoOnline?: boolean;
  /** Went online and got no issuer authentication data back. */
  unauthenticatedOnline?: boolean;
  scripts: number;
  scriptFailed?: boolean;
};

const kinds: Record<CryptogramKind, number> = { AAC: 0, TC: 1, ARQC: 2 };
const notRequested = 2;

/** Bits 8-7 of the result byte: the second cryptogram; 6-5: the first. Both schemes encode them alike. */
const cryptograms = ({ first, second }: CardMarks): number =>
  ((second === undefined ? notRequested : kinds[second]) << 6) | (kinds[first] << 4);

const markIf = (field: Uint8Array, bit: Bit, isSet: boolean | undefined): void => {
  if (isSet) setBit(field, bit);
};

/** `06 | key index | CVN | 03 and three bytes of results` (openemv's reading of the Visa form). */
const visaIad = (cvnByte: number, marks: CardMarks): Uint8Array => {
  const iad = Uint8Array.of(0x06, 0x01, cvnByte, 0x03, cryptograms(marks), 0, (marks.scripts & 0x0f) << 4);
  const results = iad.subarray(3);
  markIf(results, [2, 4], marks.issuerAuthentication === 'failed');
  markIf(results, [2, 3], marks.offlinePin !== undefined);
  markIf(results, [2, 2], marks.offlinePin === 'wrong');
  markIf(results, [2, 1], marks.unableToGoOnline);
  markIf(results, [3, 7], marks.pinTriesLeft === 0);
  markIf(results, [3, 3], marks.unauthenticatedOnline);
  markIf(results, [4, 4], marks.scriptFailed);
  return iad;
};

/** `key index | CVN | six bytes of results | authentication code 2 | counters 8`. */
const mchipIad = (cvnByte: number, marks: CardMarks): Uint8Array => {
  const iad = new Uint8Array(18);
  iad.set([0x01, cvnByte, cryptograms(marks), 0, ((marks.scripts & 0x0f) << 4) | marks.pinTriesLeft]);
  const results = iad.subarray(2, 8);
  markIf(results, [1, 3], marks.offlinePin !== undefined);
  markIf(results, [1, 1], marks.offlinePin === 'right');
  markIf(results, [2, 5], marks.issuerAuthentication === 'performed');
  markIf(results, [4, 7], marks.unableToGoOnline);
  markIf(results, [4, 6], marks.offlinePin === undefined);
  markIf(results, [4, 5], marks.offlinePin === 'wrong');
  markIf(results, [4, 4], marks.pinTriesLeft === 0);
  markIf(results, [5, 3], marks.issuerAuthentication === 'failed');
  markIf(results, [5, 2], marks.scripts > 0);
  markIf(results, [5, 1], marks.scriptFailed);
  iad.set(fromHex('DAC1'), 8);
  return iad;
};

/** `15 | key index | CVN | 04 and four bytes of results | 14 bytes of the issuer's`. */
const interacIad = (): Uint8Array => {
  const iad = new Uint8Array(22);
  iad.set([0x15, 0x01, 0x85, 0x04]);
  return iad;
};

const forms: Partial<Record<CvnName, (marks: CardMarks) => Uint8Array>> = {
  visa10: (marks) => visaIad(0x0a, marks),
  visa18: (marks) => visaIad(0x12, marks),
  mchip10: (marks) => mchipIad(0x10, marks),
  mchip14: (marks) => mchipIad(0x14, marks),
  interac133: interacIad,
};

/** Tag 9F10 of a card with this cryptogram version; undefined for a version that no test card has. */
const issuerApplicationData = (cvn: CvnName, marks: CardMarks): Uint8Array | undefined => forms[cvn]?.(marks);
