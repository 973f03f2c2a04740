/** What an MPI device says unasked, in words. */
import { printable } from '../../../src/base/mask.ts';
import { factsOf } from './narrator-answers.ts';
import { type DeviceNotice, decodeNotice, deviceCodes } from './notices.ts';

/** The body of a notice in words. Throws the Fault of a body that is no TLV. */
export const noticeWords = (body: Uint8Array): string => {
  const notice = decodeNotice(body);
  switch (notice.kind) {
    case 'card': {
      const slot = notice.present ? `a card is in the slot${notice.chip ? ', with a chip' : ''}` : 'the slot is empty';
      if (!notice.swiped) return slot;
      const tracks = notice.tracks.length === 0 ? 'nothing could be read' : `tracks ${notice.tracks.join(' ')}`;
      return [`a card was swiped, ${tracks}`, ...factsOf(notice.tlvs), slot].join(', ');
    }
    case 'device':
      return deviceWords(notice);
    case 'other':
      return `a notice of another kind, tags ${notice.tags.slice(0, 8).join(' ')}`;
  }
};

const codeWords: Readonly<Record<number, string>> = {
  [deviceCodes.poweredOn]: 'powered on',
  [deviceCodes.pinEntry]: 'a key was pressed at PIN entry',
  [deviceCodes.applicationSelection]: 'the customer chooses an application',
  [deviceCodes.poweringOff]: 'SWITCHING OFF',
  [deviceCodes.rebooting]: 'REBOOTING',
  [deviceCodes.restarting]: 'RESTARTING',
  [deviceCodes.seePhone]: 'the customer is to look at the phone',
  [deviceCodes.successBeep]: 'it beeps for a tap that was read',
  [deviceCodes.errorBeep]: 'it beeps for a tap that failed',
};

const deviceWords = ({ code, text }: DeviceNotice): string => {
  const words = codeWords[code] ?? `status ${code.toString(16).padStart(2, '0')}`;
  return `device: ${words}${text === '' ? '' : ` "${printable(text, 40)}"`}`;
};
