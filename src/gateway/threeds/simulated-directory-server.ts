/** The simulated schemes' directory servers: which range a card is in, and the way to its issuer. */
import { createHash } from 'node:crypto';
import type { AcquirerMemory } from '../acquirers/acquirer.ts';
import type { DirectoryServer } from './directory-server.ts';
import { versions } from './schemes.ts';
import { authenticate, methodPath, readTransaction } from './simulated-access-control-server.ts';
import { cardWanted } from './simulated-cards.ts';

export type SimulatedDirectoryOptions = { memory: AcquirerMemory; random: (length: number) => Uint8Array };

/** Over the acquirers' memory: any number of gateways may share it. */
export const simulatedDirectoryServer = ({ memory, random }: SimulatedDirectoryOptions): DirectoryServer => ({
  async rangeOf({ number, origin, custom }) {
    const card = cardWanted(number, custom);
    if (card === undefined) return 'unlisted';
    if (card.behaviour === 'absent') return 'absent';
    return { versions, ...(card.method ? { threeDSMethodUrl: `${origin}${methodPath}` } : {}) };
  },
  authenticate: (request, about) =>
    authenticate({ memory, random }, { request, ...about, dsTransID: dsTransIDof(request.threeDSServerTransID) }),
  async resultOf(id) {
    return (await readTransaction(memory, id))?.result;
  },
});

/** A UUID of its own for each transaction, the same whenever it is asked again. */
const dsTransIDof = (id: string): string => {
  const hex = createHash('sha256').update(`simulated directory ${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
