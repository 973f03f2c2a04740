/** Another program that wants a terminal: opens the link to an address, prints "open" or why not, and keeps it. */
import { parseAddress } from '../../../../drivers/address.ts';
import { driverOf, openLink } from '../../../../drivers/registry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { errorText } from '../../../../src/base/fault.ts';

const address = parseAddress(process.argv[2] ?? '');
const end = (): never => process.exit(0);
process.stdin.on('end', end).resume();
try {
  await openLink(address, driverOf(address.driver), { clock: systemClock, report() {} });
  process.stdout.write('open\n');
} catch (error) {
  process.stdout.write(`${errorText(error)}\n`);
}
