/** The captured and derived ZVT bytes of the vector file, by name. */
import { capturesOf } from '../../support/devices/driver-captures.ts';

const { captures, captured } = capturesOf((protocol) => protocol.startsWith('zvt'));

export { captured };
export const apduCaptures = captures.filter(({ protocol }) => protocol === 'zvt');
export const frameCaptures = captures.filter(({ protocol }) => protocol === 'zvt-serial');
