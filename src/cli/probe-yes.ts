/** A yes before a place is asked in every protocol: what is there may be no terminal at all. */
import type { Candidate } from '../../drivers/discovery.ts';
import { Fault } from '../base/fault.ts';
import { isWanted } from './terminal-words.ts';
import { tell } from './terms.ts';

/** `noYes`: the command has no `--yes`. */
export type ProbeFlags = { yes?: true; json?: true; noYes?: true };

const isBare = ({ fits }: Candidate): boolean => fits.length > 1;
const placesIn = (candidates: readonly Candidate[]): string => candidates.map(({ place }) => place).join(', ');

const isAgreed = (bare: readonly Candidate[], flags: ProbeFlags): Promise<boolean> => {
  const toAdd =
    flags.noYes === true ? `${placesIn(bare)} was not asked.` : 'To have the protocol found out, add --yes.';
  const know = `Finding out the protocol means saying hello at ${placesIn(bare)} in each one, until something answers. No hello starts a payment, but a printer, a scale or another device there gets bytes that are not for it.`;
  return isWanted(flags, { question: 'Is a card terminal there, and may it be asked?', toAdd, know });
};

/**
 * Asks a person, or takes `--yes` for it, where a place is named without its protocol. Throws `command.malformed` with
 * the addresses to write in full when nobody agrees; nothing has been opened then.
 */
export const agreeToProbe = async (candidates: readonly Candidate[], flags: ProbeFlags): Promise<void> => {
  const bare = candidates.filter(isBare);
  const [first] = bare;
  if (first === undefined || (await isAgreed(bare, flags))) return;
  const full = first.fits.map(({ address }) => address).join(', ');
  const add = flags.noYes === true ? '' : 'add --yes, or ';
  throw new Fault('command.malformed', {
    why: `${placesIn(bare)} names no protocol, and nothing was sent there without a yes: ${add}give the address in full, one of ${full}`,
  });
};

/** Of what is plugged in: those whose USB ids belong to a driver, and the others where a person, or `--yes`, agrees. */
export const agreedAmong = async (plugged: readonly Candidate[], flags: ProbeFlags): Promise<Candidate[]> => {
  const unsure = plugged.filter(({ likely }) => likely !== 'known');
  if (unsure.length === 0 || (await isAgreed(unsure, flags))) return [...plugged];
  if (flags.json !== true) tell(`Not asked without a yes: ${placesIn(unsure)}.`);
  return plugged.filter(({ likely }) => likely === 'known');
};
