/** The captured and derived MMS bytes of the vector file, by name. */
import { type Capture, capturesOf } from '../../support/devices/driver-captures.ts';

const magtek = capturesOf((protocol) => protocol.startsWith('magtek'));

export const { captured } = magtek;

/** The captures of one form: messages `magtek-mms`, reports `magtek-mms-hid`, frames `magtek-mms-slip`. */
export const captures = (form: string): Capture[] => magtek.captures.filter(({ protocol }) => protocol === form);
