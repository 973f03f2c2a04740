/**
 * Cryptograms, answers and script MACs by cryptogram version. The virtual card and the simulated issuer share these, so
 * that the two sides of a cryptogram always agree.
 */
import { Fault } from '../base/fault.ts';
import { concat, fromHex } from '../base/hex.ts';
import { arpcMethod1, arpcMethod2, parseCsu, printCsu } from './arpc.ts';
import { applicationCryptogram, type CvnName, type TagValues, versionOf, wantTag } from './cryptogram-table.ts';
import { macEquals } from './mac.ts';
import { newPinBlock, pinChangeData, scriptMac, visPinBlock } from './script.ts';
import {
  acSessionKey,
  commonSessionKey,
  iccMasterKey,
  mastercardSessionKey,
  visaSmSessionKey,
} from './session-keys.ts';
import { wantBytes } from './want.ts';

export type { TagValues } from './cryptogram-table.ts';
export { type CvnName, cvnOfIad } from './cryptogram-table.ts';

/** The three master keys of a card: cryptograms, script MACs, script encryption. 16 bytes each. */
export type CardKeys = { mkAc: Uint8Array; mkSmi: Uint8Array; mkSmc: Uint8Array };

/** Derives the card's master keys from the issuer's. Option A unless given. Throws `key.malformed`, `emv.malformed`. */
export const cardKeys = (o: {
  imkAc: Uint8Array;
  imkSmi: Uint8Array;
  imkSmc: Uint8Array;
  pan: string;
  psn: string;
  option?: 'A' | 'B';
}): CardKeys => {
  const card = { pan: o.pan, psn: o.psn, option: o.option ?? 'A' };
  return {
    mkAc: iccMasterKey({ ...card, imk: o.imkAc }),
    mkSmi: iccMasterKey({ ...card, imk: o.imkSmi }),
    mkSmc: iccMasterKey({ ...card, imk: o.imkSmc }),
  };
};

/** A transaction from both sides: its tags, and the 8 bytes of the card's cryptogram. */
type CryptogramTransaction = { tags: TagValues; cryptogram: Uint8Array };

/** The key of the transaction's cryptograms. Throws `key.malformed`, `emv.malformed`. */
export const cryptogramKey = (cvn: CvnName, { mkAc }: CardKeys, tags: TagValues): Uint8Array => {
  const { session } = versionOf(cvn);
  if (session === 'none') return mkAc;
  const atc = wantTag(tags, '9F36', 2);
  if (session === 'common') return acSessionKey(mkAc, atc);
  return mastercardSessionKey(mkAc, { atc, un: wantTag(tags, '9F37', 4) });
};

/** A key of secure messaging from the master key `mk`. Throws `key.malformed`, `emv.malformed`. */
export const messagingKey = (cvn: CvnName, mk: Uint8Array, { tags, cryptogram }: CryptogramTransaction): Uint8Array => {
  if (versionOf(cvn).messaging === 'visa') return visaSmSessionKey(mk, wantTag(tags, '9F36', 2));
  wantBytes('The cryptogram', cryptogram, [8]);
  return commonSessionKey(mk, cryptogram);
};

/** The application cryptogram, 8 bytes, over the tags as given. Throws `key.malformed`, `emv.malformed`. */
export const cryptogramOf = (cvn: CvnName, keys: CardKeys, tags: TagValues): Uint8Array => {
  const { input, padding } = versionOf(cvn);
  return applicationCryptogram({ key: cryptogramKey(cvn, keys, tags), data: input(tags), padding });
};

/** Response codes that approve: approved, with identification, partial, VIP, no reason to decline. */
const approvingArcs: ReadonlySet<string> = new Set(['00', '08', '10', '11', '85']);

/** Mastercard's ARPC response codes. To the card the bit 0010 means approval; 0002 lets it reset its counters. */
const mastercardCodes = { approve: fromHex('0012'), decline: fromHex('9900') };

const answerKey = (cvn: CvnName, keys: CardKeys, tags: TagValues): Uint8Array =>
  versionOf(cvn).answerKey === 'mk' ? keys.mkAc : cryptogramKey(cvn, keys, tags);

/** The 2 bytes of an ASCII response code that must agree with the decision. Throws `emv.malformed`. */
const arcBytes = (arc: string, approve: boolean): Uint8Array => {
  const refuse = (cause: string) => new Fault('emv.malformed', { what: 'The authorisation response code', why: cause });
  if (!/^[0-9A-Z]{2}$/.test(arc)) throw refuse('it must be two digits or upper-case letters');
  if (approvingArcs.has(arc) !== approve) throw refuse('the card would read the opposite of the decision from it');
  return Uint8Array.of(arc.charCodeAt(0), arc.charCodeAt(1));
};

/**
 * The issuer's answer to the card, the value of tag 91: 10 bytes by method 1 (ARPC and response code), 8 by method 2
 * (ARPC and CSU). `arc` is the two-character response code; versions that send it refuse one that contradicts
 * `approve`. Throws `key.malformed`, `emv.malformed`.
 */
export const issuerAuthentication = (
  cvn: CvnName,
  keys: CardKeys,
  { tags, cryptogram, approve, arc }: CryptogramTransaction & { approve: boolean; arc: string },
): Uint8Array => {
  const key = answerKey(cvn, keys, tags);
  const { answer } = versionOf(cvn);
  if (answer === 'csu') {
    const csu = printCsu({ approves: approve, counters: approve ? 'reset' : 'keep' });
    return concat(arpcMethod2({ key, arqc: cryptogram, csu }), csu);
  }
  const code = answer === 'arc' ? arcBytes(arc, approve) : mastercardCodes[approve ? 'approve' : 'decline'];
  return concat(arpcMethod1({ key, arqc: cryptogram, arc: code }), code);
};

/**
 * How the card reads tag 91: whether its issuer wrote it for this cryptogram, and whether it approves. Data of a wrong
 * length is not genuine. Throws `key.malformed`, `emv.malformed` for a malformed transaction.
 */
export const checkIssuerAuthentication = (
  cvn: CvnName,
  keys: CardKeys,
  { tags, cryptogram, data }: CryptogramTransaction & { data: Uint8Array },
): { genuine: boolean; approves: boolean } => {
  const key = answerKey(cvn, keys, tags);
  const { answer } = versionOf(cvn);
  if (answer === 'csu') {
    if (data.length < 8 || data.length > 16) return { genuine: false, approves: false };
    const csu = data.slice(4, 8);
    const arpc = arpcMethod2({ key, arqc: cryptogram, csu, proprietary: data.slice(8) });
    const genuine = macEquals(arpc, data.slice(0, 4));
    return { genuine, approves: genuine && parseCsu(csu).approves };
  }
  if (data.length !== 10) return { genuine: false, approves: false };
  const code = data.slice(8);
  const genuine = macEquals(arpcMethod1({ key, arqc: cryptogram, arc: code }), data.slice(0, 8));
  const says = answer === 'arc' ? approvingArcs.has(String.fromCharCode(...code)) : ((code[1] ?? 0) & 0x10) !== 0;
  return { genuine, approves: genuine && says };
};

/**
 * The MAC of a script command, as long as Lc allows, 4 to 8 bytes. `command` is CLA INS P1 P2 Lc and the data without
 * the MAC; Lc counts both. Throws `key.malformed`, `emv.malformed`.
 */
export const scriptMacOf = (
  cvn: CvnName,
  keys: CardKeys,
  { command, ...transaction }: CryptogramTransaction & { command: Uint8Array },
): Uint8Array => {
  const length = (command[4] ?? 0) - (command.length - 5);
  if (command.length < 5 || length < 4 || length > 8) {
    const reason = 'it must be a header of 5 bytes and data, its Lc greater than the data by a MAC of 4 to 8 bytes';
    throw new Fault('emv.malformed', { what: 'A script command', why: reason });
  }
  wantBytes('The cryptogram', transaction.cryptogram, [8]);
  const bound =
    versionOf(cvn).scriptCovers === 'command'
      ? new Uint8Array()
      : concat(wantTag(transaction.tags, '9F36', 2), transaction.cryptogram);
  const data = concat(command.subarray(0, 5), bound, command.subarray(5));
  return scriptMac({ key: messagingKey(cvn, keys.mkSmi, transaction), data, length });
};

// The script command that changes the PIN in a chip, in the form of each cryptogram version.

/** PIN CHANGE/UNBLOCK (EMV Book 3, 6.5.10): P2 02 sets a new PIN, 01 also has the card check the current one. */
const header = { class: 0x84, instruction: 0x24, withCurrent: 0x01, without: 0x02 };

/**
 * The whole command, header to MAC. Only Visa's versions include the current PIN. Throws `pin.block`, `key.malformed`,
 * `emv.malformed`.
 */
export const pinChangeCommand = (
  cvn: CvnName,
  keys: CardKeys,
  { pin, currentPin, ...transaction }: CryptogramTransaction & { pin: string; currentPin?: string },
): Uint8Array => {
  const { pinBlock, pinEncryption } = versionOf(cvn);
  if (currentPin !== undefined && pinBlock === 'iso2') {
    throw new Fault('emv.malformed', { what: 'A PIN change', why: 'this scheme does not send the current PIN along' });
  }
  const visBlock = pinBlock === 'vis' || currentPin !== undefined;
  const current = currentPin === undefined ? {} : { currentPin };
  const block = visBlock ? visPinBlock({ mkAc: keys.mkAc, pin, ...current }) : newPinBlock(pin);
  const key = messagingKey(cvn, keys.mkSmc, transaction);
  const data = pinChangeData({ encryption: pinEncryption, key, pinBlock: block });
  const p2 = currentPin === undefined ? header.without : header.withCurrent;
  const command = concat(Uint8Array.of(header.class, header.instruction, 0, p2, data.length + 8), data);
  return concat(command, scriptMacOf(cvn, keys, { ...transaction, command }));
};
