/** Opens the keys in a folder, in a separate process, renews them if requested, and sends the result. */
import { systemClock } from '../../../src/base/clock.ts';
import { isFault } from '../../../src/base/fault.ts';
import { systemRandom } from '../../../src/base/ids.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';

const [, , dataDir = '', renew] = process.argv;
const keyring = openKeyring({ at: { dataDir }, random: systemRandom, clock: systemClock });

const renewed = (): string => {
  try {
    return keyring.renew().id;
  } catch (error) {
    if (isFault(error, 'vault.busy')) return error.code;
    throw error;
  }
};

process.send?.(renew === undefined ? keyring.current().id : renewed());
process.disconnect?.();
