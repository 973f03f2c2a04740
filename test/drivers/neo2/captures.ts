/** The captured, printed and derived bytes of ID TECH readers in the vector file. */
import { capturesOf } from '../../support/devices/driver-captures.ts';

export const { captures, captured } = capturesOf((protocol) => protocol.startsWith('idtech'));

/** The captures that are whole frames. */
export const frames = captures.filter(({ protocol, hex }) => protocol === 'idtech-neo2' && hex.startsWith('5669564F'));
