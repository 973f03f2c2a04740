/** A yes before a place is asked in every protocol: what is there may be no terminal at all. */
import { candidateAt } from '../../drivers/discovery.ts';
import { Fault } from '../base/fault.ts';
import { isWanted } from './terminal-words.ts';

type Flags = { yes?: true; json?: true };

/**
 * Asks a person, or takes `--yes` for it, where a place is named without its protocol. Throws `command.malformed` with
 * the addresses to write in full when nobody agrees; nothing has been opened then.
 */
export const agreeToProbe = async (places: readonly string[], flags: Flags): Promise<void> => {
  const bare = places.map((place) => candidateAt(place)).filter(({ fits }) => fits.length > 1);
  const [first] = bare;
  if (first === undefined) return;
  const where = bare.map(({ place }) => place).join(', ');
  const full = first.fits.map(({ address }) => address).join(', ');
  const toAdd = 'To have the protocol found out, add --yes.';
  const know = `Finding out the protocol means saying hello at ${where} in each one, until something answers. No hello starts a payment, but a printer, a scale or another device there gets bytes that are not for it.`;
  if (await isWanted(flags, { question: 'Is a card terminal there, and may it be asked?', toAdd, know })) return;
  throw new Fault('command.malformed', {
    why: `${where} names no protocol, and nothing was sent there without a yes: add --yes, or give the address in full, one of ${full}`,
  });
};
