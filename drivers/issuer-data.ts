/** What a host's answer holds for the card: the response code of tag 8A, and the issuer's tags 91, 71 and 72. */
import { Fault } from '../src/base/fault.ts';
import { fromHex } from '../src/base/hex.ts';
import { decodeTlv, type Tlv, tlv } from '../src/emv/tlv.ts';
import type { HostVerdict } from './terminal.ts';

export type IssuerWord = {
  /** Tag 8A: the issuer's own, else the host's code, else one that says the same. */
  code: Tlv;
  /** All that the host sent for the card, templates but those of scripts opened. */
  sent: readonly Tlv[];
};

type Unable = {
  /** Two characters for tag 8A when nobody could be asked: Y3 in EMV Book 4, Annex A6. */
  unable: string;
  /** Hears of issuer data that cannot be read. It is left out: the card can answer without it. */
  report(why: Fault): void;
};

/** Opens the verdict. Hosts put the tags side by side or into one template. */
export const issuerWord = (verdict: HostVerdict, { unable, report }: Unable): IssuerWord => {
  if (verdict.kind === 'unableToGoOnline') return { code: codeOf(unable), sent: [] };
  const { kind, arc = kind === 'approved' ? '00' : '05', icc } = verdict;
  const sent = icc === undefined ? [] : issuerTags(icc, report);
  return { code: sent.find(({ tag }) => tag === '8A') ?? codeOf(arc), sent };
};

/**
 * Tags 8A, 91, 71 and 72, in this order, as far as the device takes them: `fits` is given the list up to and with the
 * next one. A script that does not fit is left out and reported: the issuer sends it again, and the sale does not
 * depend on it.
 */
export const issuerList = (
  verdict: HostVerdict,
  { fits, ...rest }: Unable & { fits(list: readonly Tlv[]): boolean },
): readonly Tlv[] => {
  const { code, sent } = issuerWord(verdict, rest);
  const list = [code];
  for (const tag of ['91', '71', '72']) {
    for (const each of sent.filter((one) => one.tag === tag)) {
      if (fits([...list, each])) list.push(each);
      else rest.report(tooLong(tag));
    }
  }
  return list;
};

/** What is reported of issuer data that is left out for its length. */
export const tooLong = (tag: string): Fault =>
  new Fault('emv.malformed', { what: `Issuer data ${tag}`, why: 'it is too long' });

const codeOf = (text: string): Tlv =>
  tlv('8A', new Uint8Array(Buffer.from(text.slice(0, 2).padStart(2, '0'), 'latin1')));

const issuerTags = (icc: string, report: (why: Fault) => void): Tlv[] => {
  try {
    return decodeTlv(fromHex(icc)).flatMap(leavesOf);
  } catch (error) {
    const malformed = new Fault('emv.malformed', { what: 'Issuer data', why: 'it is no TLV' }, error);
    report(error instanceof Fault ? error : malformed);
    return [];
  }
};

const leavesOf = (object: Tlv): Tlv[] =>
  object.tag === '71' || object.tag === '72' || object.children === undefined
    ? [object]
    : object.children.flatMap(leavesOf);
