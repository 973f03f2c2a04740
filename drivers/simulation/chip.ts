/**
 * The inside of a virtual chip: its counters, and its own mind at the two GENERATE ACs (EMV Book 3 sections 6.5.5 and
 * 9).
 */
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
import { type CardMarks, type CryptogramKind, issuerApplicationData } from './issuer-data.ts';

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

/** Cuts data object list data into its values, as the card that wrote the list reads it. */
const readDol = (dol: Uint8Array, data: Uint8Array): Map<string, Uint8Array> => {
  let at = 0;
  return new Map(
    parseDol(dol).map(({ tag, length }) => {
      at += length;
      return [tag, data.slice(at - length, at)];
    }),
  );
};

const minorOf = (bcd: Uint8Array | undefined): bigint => BigInt(Buffer.from(bcd ?? Uint8Array.of(0)).toString('hex'));

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** The values the cryptogram is made over: the card's own before the terminal's. */
const tagsOf = ({ aip, atc }: Session, iad: Uint8Array, terminal: TagValues): TagValues => {
  const own: Record<string, Uint8Array> = { '82': aip, '9F36': atc, '9F10': iad };
  return (tag) => own[tag] ?? terminal(tag);
};

const answer = (chip: Chip, session: Session, o: { kind: CryptogramKind; terminal: TagValues }) => {
  const iad = issuerApplicationData(chip.cvn, session.marks);
  if (iad === undefined) return undefined;
  const tags = tagsOf(session, iad, o.terminal);
  const cryptogram = cryptogramOf(chip.cvn, chip.keys, tags);
  const made: CardAnswer = { kind: o.kind, cid: Uint8Array.of(cids[o.kind]), atc: session.atc, cryptogram, iad };
  return { answer: made, tags };
};

/** The chip may only be stricter than it was asked to be. */
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

const first = (chip: Chip, session: Session, o: { ask: CryptogramKind; data: Uint8Array }): CardAnswer | undefined => {
  const values = readDol(fromHex(chip.profile.first), o.data);
  session.marks.first = firstKind(chip, o.ask, minorOf(values.get('9F02')));
  const made = answer(chip, session, { kind: session.marks.first, terminal: (tag) => values.get(tag) });
  if (made === undefined) return undefined;
  session.first = made;
  session.ended = made.answer.kind !== 'ARQC';
  return made.answer;
};

const second = (chip: Chip, session: Session, o: { ask: CryptogramKind; data: Uint8Array }): CardAnswer | undefined => {
  const values = readDol(fromHex(chip.profile.second), o.data);
  const arc = Buffer.from(values.get('8A') ?? new Uint8Array(0)).toString('latin1');
  const issuerData = values.get('91');
  // A list entry the terminal had nothing for comes as zeros: then no issuer spoke.
  if (issuerData !== undefined && !isZero(issuerData)) authenticate(chip, session, issuerData);
  const { marks } = session;
  marks.unableToGoOnline = arc === 'Y3' || arc === 'Z3';
  marks.unauthenticatedOnline = !marks.unableToGoOnline && marks.issuerAuthentication === undefined;
  marks.second = secondKind(chip, o.ask, session);
  session.ended = true;
  // What CDOL2 does not repeat the chip remembers from CDOL1.
  const before = session.first?.tags;
  const made = answer(chip, session, { kind: marks.second, terminal: (tag) => values.get(tag) ?? before?.(tag) });
  return made?.answer;
};

/** Checks the value of tag 91 and remembers what it says. False: it was not made by this card's issuer. */
export const authenticate = (chip: Chip, session: Session, data: Uint8Array): boolean => {
  if (session.first === undefined) return false;
  const { tags, answer: asked } = session.first;
  const { cryptogram } = asked;
  const { genuine, approves } = checkIssuerAuthentication(chip.cvn, chip.keys, { tags, cryptogram, data });
  session.marks.issuerAuthentication = genuine ? 'performed' : 'failed';
  session.issuerApproves = approves;
  return genuine;
};

/** GENERATE AC, the first or the second of this session. Undefined: conditions of use not satisfied. */
export const generate = (chip: Chip, ask: CryptogramKind, data: Uint8Array): CardAnswer | undefined => {
  const { session } = chip;
  if (session === undefined || session.ended) return undefined;
  return session.first === undefined ? first(chip, session, { ask, data }) : second(chip, session, { ask, data });
};
