/** Which place a person means by an address: the till's own terminal there, or one that is to be asked after a yes. */
import { candidateAt } from '../../../drivers/discovery.ts';
import type { NamedPlace } from '../../api/ports/devices.ts';
import { Fault } from '../../base/fault.ts';
import type { Config } from '../../folder/config.ts';
import { pairedAddresses } from '../device-rows.ts';

/** Where this till sells already: those addresses need no yes. */
export const ownAddresses = (config: Config, simulated: string | undefined): string[] => [
  ...pairedAddresses(config).map(([, address]) => address),
  ...(simulated === undefined ? [] : [simulated]),
];

/**
 * The place to ask, and the first address to try there. Throws `terminal.unknown`, and `terminal.protocolMissing` where
 * several protocols may fit and nobody said `probe`.
 */
export const placeMeant = (
  { address, probe }: NamedPlace,
  own: readonly string[],
): { place: string; first: string; isOne: boolean } => {
  const { place, fits } = candidateAt(address);
  const addresses = fits.map((fit) => fit.address);
  const [first = address, another] = addresses;
  const ours = addresses.find((one) => own.includes(one));
  if (ours !== undefined) return { place: ours, first: ours, isOne: true };
  if (another === undefined) return { place: first, first, isOne: true };
  if (probe !== true) throw new Fault('terminal.protocolMissing', { address: place });
  return { place, first, isOne: false };
};
