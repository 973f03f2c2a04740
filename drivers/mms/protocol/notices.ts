/**
 * The unsolicited messages of an MMS device: notifications of source and type, each with four detail bytes. The first
 * detail byte of a transaction is the technology, the rest is the event. Source: MagTek, DynaFlex family programmer's
 * manual, "Notifications".
 */
import { toHex } from '../../../src/base/hex.ts';
import { printable } from '../../../src/base/mask.ts';
import { find } from '../../../src/emv/tlv.ts';
import { contentOf, type MmsMessage } from './messages.ts';

export const technologies = { '00': 'none', '07': 'manual', '08': 'stripe', '10': 'chip', '20': 'tap' } as const;
export type Technology = (typeof technologies)[keyof typeof technologies];

/** Rows: id, the detail without its first byte, and our name for it. */
const rows = [
  ['0101', '010100', 'presented'],
  ['0101', '010200', 'inserted'],
  ['0101', '010300', 'removed'],
  ['0101', '010400', 'tapped'],
  ['0101', '010500', 'collision'],
  ['0101', '080202', 'arqc'],
  ['0101', '080302', 'batch'],
  ['0101', '020601', 'pinPadFailed'],
  ['0101', '020602', 'pinNotEncrypted'],
  ['0105', '010000', 'timedOut'],
  ['0105', '030100', 'cancelledByHost'],
  ['0105', '030200', 'cancelledByUser'],
  ['0105', '020600', 'approved'],
  ['0105', '028000', 'declined'],
  ['0105', '020700', 'deferred'],
  ['0105', '020803', 'stripeInstead'],
  ['0105', '020903', 'stripeInstead'],
  ['0105', '020002', 'chipFailed'],
  ['0105', '020F02', 'chipFailed'],
  ['0105', '020200', 'approvedOffline'],
  ['0105', '020300', 'declinedOffline'],
  ['0105', '020A00', 'cancelled'],
  ['0105', '020100', 'otherInterface'],
  ['0105', '020D00', 'tryAgain'],
  ['0105', '040000', 'done'],
  ['0105', '030500', 'readError'],
  ['1803', '010000', 'clearDisplay'],
  ['1803', '010100', 'showText'],
  ['1803', '010200', 'showTextWithCancel'],
  ['1803', '020000', 'select'],
  ['1805', '010000', 'displayDone'],
] as const;

export type NoticeName = (typeof rows)[number][2];
/** The names of events that end a transaction. */
export type EndName = Extract<(typeof rows)[number], readonly ['0105', ...unknown[]]>[2];

export type MmsNotice =
  | { kind: NoticeName; technology: Technology; payload?: Uint8Array }
  /** The device restarted. It can repeat this until it is acknowledged. */
  | { kind: 'restarted' }
  | { kind: 'restartSoon'; minutes: number }
  | { kind: 'battery'; says: 'low' | 'empty' | 'charged'; percent: number }
  | { kind: 'temperature'; celsius: number }
  /** Somebody touched the device, or a network session times out: not used here. */
  | { kind: 'aside' }
  /** A separate PIN entry ended. This driver requests none: PINs are taken within the transaction. */
  | { kind: 'pin' }
  | { kind: 'unknown' };

type Notification = Extract<MmsMessage, { kind: 'notification' }>;

/** The first detail byte of notifications outside a transaction. */
const displayModule = '02';

/** Decodes a notification. Never throws: an unknown one becomes `unknown`. */
export const decodeNotice = ({ id, detail, payload }: Notification): MmsNotice => {
  if (id === '1001') return deviceNotice(detail, payload);
  if (id === '0205') return { kind: 'pin' };
  const row = rows.find(([rowId, rest]) => rowId === id && rest === detail.slice(2));
  const first = detail.slice(0, 2);
  if (row === undefined || (id.startsWith('18') && first !== displayModule)) return { kind: 'unknown' };
  const technology = technologies[first as keyof typeof technologies] ?? 'none';
  return { kind: row[2], technology, payload };
};

const deviceNotice = (detail: string, payload: Uint8Array | undefined): MmsNotice => {
  const last = Number.parseInt(detail.slice(6), 16);
  // The time-out of a network session is encoded like a restart, but has a tag 83.
  const sessionEnds = toHex(payload ?? new Uint8Array(0)).includes('8301') && detail.startsWith('0000');
  if (sessionEnds) return { kind: 'aside' };
  if (detail.startsWith('0000')) return { kind: 'restarted' };
  if (detail.startsWith('0001'))
    return { kind: 'restartSoon', minutes: Number.parseInt(detail.slice(4, 6), 16) || last };
  if (detail.startsWith('0002')) {
    const says = ({ '00': 'low', '01': 'empty', '02': 'charged' } as const)[detail.slice(4, 6)] ?? 'low';
    return { kind: 'battery', says, percent: says === 'charged' ? 100 : last };
  }
  if (detail.startsWith('0400')) return { kind: 'temperature', celsius: (last << 24) >> 24 };
  return /^0[1-3]/.test(detail) ? { kind: 'aside' } : { kind: 'unknown' };
};

/** The id and detail of a notice of this name, for the side that sends it. */
export const noticeCode = (name: NoticeName, technology: Technology): { id: string; detail: string } => {
  const [id, rest] = rows.find((row) => row[2] === name) ?? rows[0];
  const first = Object.entries(technologies).find(([, each]) => each === technology)?.[0] ?? '00';
  return { id, detail: `${id.startsWith('18') ? displayModule : first}${rest}` };
};

/** The lines of a text that the host should show, card numbers masked; none when the text is unreadable. */
export const displayLinesOf = (payload: Uint8Array | undefined): string[] => {
  try {
    const value = find(contentOf('1803', payload), '83')?.value ?? new Uint8Array(0);
    const lines = Buffer.from(value)
      .toString('latin1')
      .split(/[\0\n]/);
    return lines.map((line) => printable(line, 60).trim()).filter((line) => line !== '');
  } catch {
    // An unreadable text is left out; the device continues without an answer.
    return [];
  }
};
